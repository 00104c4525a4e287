import { randomUUID } from 'node:crypto';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { expect, it } from 'vitest';
import { type ProxyRow, saveProxy } from './row.ts';

const stores = useStores();
const proxies = useVerbs(stores, 'proxies');

it('a saved row has every value that it was given, and the caller gets what is stored', async () => {
  const uuid = randomUUID();
  const stored = async () => {
    const [row] = await proxies.sql<ProxyRow[]>`select * from proxies where uuid = ${uuid}`;
    if (!row) throw new Error('the proxy is gone');
    return row;
  };
  await proxies.sql`
    insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status)
    values (${uuid}, 1, 'Server', '127.0.0.1', 40120, ${`${uuid}.example.com`}, 80, 'pending')`;
  const before = await stored();
  const applied = { tunnelId: 't', dnsRecordId: 'r', incarnation: 2, hostname: 'b', origin: 'http://b:1' };
  const given: Partial<ProxyRow> = {
    ...{ serverName: 'Anders', serverIp: '10.0.0.7', adminPort: 1, customUrl: 'anders', hostname: 'b' },
    ...{ status: 'error', statusReason: 'tunnel_gone', tunnelHealth: 'down', requestLog: 'off' },
    ...{ generation: 2, incarnation: 2, lastIncarnation: 3, appliedGeneration: 2, restoring: true },
    ...{ applied, appliedEntries: { serverName: 'Server', customUrl: null }, memberIds: [7, 8] },
    ...{ suspendedAt: new Date(1), suspensionReason: 'a', removedAt: new Date(2), awaitedUntil: new Date(3) },
    ...{ ownerSuspendedAt: new Date(4), ownerSuspensionReason: 'b' },
  };
  const saved = await proxies.transaction((tx) => saveProxy(tx, { ...before, ...given }));
  expect(saved).toMatchObject({ ...given, version: before.version + 1, tunnelHealthAt: saved.changedAt });
  expect(await stored()).toEqual(saved);
});
