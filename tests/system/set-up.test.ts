import { openDatabase } from '@talpa/service-kit/database/connect';
import { newUser, proxyInput } from '@talpa/test-kit/client';
import { apart, useTalpa } from '@talpa/test-kit/system';
import { expect, it } from 'vitest';

// What a test stops stays stopped.
const system = useTalpa(apart, { patience: null });

it('administrators learn what is still to be set up, and that a service did not say it', async () => {
  const admin = await system.admin();
  const states = async () => {
    const { checks } = await admin.call('GET /api/admin/system', {});
    return Object.fromEntries(checks.map(({ check, state }) => [check, state]));
  };
  expect(await states()).toEqual({
    ...{ domain: 'missing', https: 'missing', mail: 'missing', publicUrl: 'missing' },
    ...{ backup: 'missing', customer: 'missing' },
  });
  await newUser(system.url);
  expect(await states()).toMatchObject({ customer: 'ok' });

  const pid = system.pid('notifications') ?? 0;
  process.kill(pid, 'SIGSTOP');
  try {
    expect(await states()).toMatchObject({ mail: 'unknown', customer: 'ok' });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});

it('administrators see which jobs keep failing, with the names of their proxies', async () => {
  const { client } = await newUser(system.url, 'free');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput('Küstenwache'));
  const admin = await system.admin();
  expect(await admin.call('GET /api/admin/dead-letters', {})).toEqual([]);
  const sql = openDatabase(system.talpa.stores.adminUrl, 1);
  await sql`
    insert into tunnel_worker.jobs (proxy_id, failures, dead_letter_at, dead_letter_reason, dead_letter_detail)
    select uuid, 8, now(), 'refused', 'create tunnel: 400' from proxies.proxies where id = ${proxy.id}
    on conflict (proxy_id) do update set failures = excluded.failures, due_at = null,
      dead_letter_at = excluded.dead_letter_at, dead_letter_reason = excluded.dead_letter_reason,
      dead_letter_detail = excluded.dead_letter_detail`;
  await sql.end();
  expect(await admin.call('GET /api/admin/dead-letters', {})).toMatchObject([
    {
      failures: 8,
      detail: 'create tunnel: 400',
      proxy: { id: proxy.id, serverName: 'Küstenwache', deleted: false },
    },
  ]);
});
