import type { DoctorReport } from '@talpa/contracts';
import type { Stage } from '@talpa/test-kit/panel/screen';

/** A doctor that has found everything from faults to what is well. */
export async function withFindings({ page }: Stage) {
  const host = 'panel.los-santos-life.example';
  const json: DoctorReport = {
    findings: [
      {
        check: 'dns',
        state: 'ok',
        says: 'dns_here',
        params: { host, what: 'panel', addresses: '203.0.113.7, 2001:db8:4a1f:22:be24:11ff:fe03:9c07' },
      },
      {
        check: 'dns',
        state: 'unknown',
        says: 'dns_elsewhere',
        params: { host: 'doctor.tunnel.example.net', what: 'subdomains', addresses: '198.51.100.20' },
      },
      { check: 'reach', state: 'ok', says: 'panel_responds', params: { url: `https://${host}` } },
      { check: 'certificate', state: 'warning', says: 'certificate_ends', params: { host, left: 5 } },
      {
        check: 'certificate',
        state: 'failed',
        says: 'certificate_unissued',
        params: { name: 'ein-ziemlich-langer-servername.tunnel.example.net', problem: 'port_closed' },
      },
      {
        check: 'mail',
        state: 'failed',
        says: 'mail_refused',
        params: { reason: 'connect ECONNREFUSED 192.0.2.25:587' },
      },
      { check: 'clock', state: 'ok', says: 'clock_agrees', params: { host: 'acme-v02.api.letsencrypt.org' } },
      { check: 'disk', state: 'ok', says: 'disk_roomy', params: { folder: '/srv/talpa', free: 48_210 } },
      {
        check: 'stores',
        state: 'ok',
        says: 'store_responds',
        params: { store: 'Postgres', version: '17.2' },
      },
      { check: 'jobs', state: 'ok', says: 'jobs_work', params: { count: 0 } },
      { check: 'backup', state: 'warning', says: 'backup_none', params: {} },
    ],
    notChecked: ['settings'],
    checkedAt: '2026-11-03T08:15:00.000Z',
  };
  await page.route('**/api/admin/system/doctor*', (route) => route.fulfill({ json }));
}
