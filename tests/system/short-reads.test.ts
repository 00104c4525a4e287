import { openDatabase } from '@talpa/service-kit/database/connect';
import { newUser, proxyInput } from '@talpa/test-kit/client';
import { useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';

// One connection for everything else: a single write that waits takes them all.
const system = useTalpa({ DATABASE_CONNECTIONS: '2' });

it('people see their proxies while every connection for writes waits for a lock', async () => {
  const { client } = await newUser(system.url, 'free');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  const outside = openDatabase(system.talpa.stores.adminUrl, 2);
  const waiting = async () => {
    const [row] = await outside`
      select 1 from pg_stat_activity where usename like 'proxies%' and wait_event_type = 'Lock'`;
    return row !== undefined;
  };
  try {
    const deleted = await outside.begin(async (lock) => {
      await lock`select 1 from proxies.proxies where id = ${proxy.id} for update`;
      const response = client.call('DELETE /api/tunnel-configs/:id', { id: proxy.id });
      await until('the delete waits', waiting);
      expect(await client.call('GET /api/tunnel-configs', {})).toMatchObject([{ id: proxy.id }]);
      expect(await client.call('GET /api/tunnel-configs/:id', { id: proxy.id })).toMatchObject(proxy);
      expect(await waiting()).toBe(true);
      return { response };
    });
    await deleted.response;
    expect(await client.call('GET /api/tunnel-configs', {})).toEqual([]);
  } finally {
    await outside.end();
  }
});
