import type { Sql } from '@talpa/service-kit/database/sql';
import { gauge, readOnScrape } from '@talpa/service-kit/telemetry/metrics';
import type { Wanted } from './claim.ts';

const certificates = gauge(
  'talpa_certificates',
  'Certificates that are ordered, by whether the last order failed',
  ['result'],
);
const expires = gauge(
  'talpa_certificate_expires_seconds',
  'Until the first certificate in use expires; below 0 when it has',
);

/** Measures what was issued, and what could not be; of a subdomain that is gone nothing. */
export function measureCertificates(sql: Sql, { panel, wildcard }: Wanted): void {
  readOnScrape('certificates', [certificates, expires], async () => {
    const [row] = await sql<{ good: number; failed: number; left: number | null }[]>`
      select count(*) filter (where failures = 0) as good, count(*) filter (where failures > 0) as failed,
        extract(epoch from min(not_after) - now())::float8 as left
      from certificates where name in (${panel}, ${wildcard ?? panel}) or ${wildcard === null} and exists (
        select 1 from dns_records where dns_records.name = certificates.name)`;
    certificates.set({ result: 'good' }, row?.good ?? 0);
    certificates.set({ result: 'failed' }, row?.failed ?? 0);
    if (row?.left != null) expires.set(row.left);
  });
}
