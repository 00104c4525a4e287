import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createLog } from '@talpa/service-kit/log';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { startEpochProcess } from '@talpa/test-kit/epoch-process';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginEpoch, type Epoch, isSettled } from './epoch.ts';

const stores = useStores();
const provider = useProvider(stores);
const tunnels = '/client/v4/accounts/account1/cfd_tunnel';
const log = createLog('edge', 'fatal');

let id = '';
let edgeId = '';
let changed: string[] = [];
const epochs: Epoch[] = [];
const children: ChildProcess[] = [];

/** The epoch of this process's edge. What follows from an age of Postgres or its sessions is left out. */
async function begin(settledAfterMs = 0) {
  const epoch = await beginEpoch(
    provider.edgeSql,
    randomUUID(),
    (tunnelId) => changed.push(tunnelId),
    log,
    settledAfterMs,
  );
  epochs.push(epoch);
  return epoch;
}
const startOther = async () => {
  const child = await startEpochProcess(provider.edgeDatabaseUrl, edgeId);
  children.push(child);
  return child;
};
/** A connection of the other edge, whose row goes only with its connection or its tunnel. */
const connect = async () => {
  await provider.edgeSql`
    insert into tunnel_provider.connections (id, tunnel_id, client_id, client_version, arch, colo_name, origin_ip,
      run_at, edge_id, conn_index, seen_at)
    values (${randomUUID()}, ${id}, ${randomUUID()}, '1', 'x', 'y', '::1', now(), ${edgeId}, 0, 'infinity')`;
  await provider.edgeSql`
    update tunnel_provider.tunnels set conns_active_at = now(), conns_inactive_at = null where id = ${id}`;
};
const view = async () =>
  (await provider.send('GET', `${tunnels}/${id}`)).body.result as {
    status: string;
    conns_inactive_at: string | null;
  };
const listed = async () =>
  (await provider.send('GET', `${tunnels}/${id}/connections`)).body.result as unknown[];
const rows = async () =>
  (await provider.edgeSql`select 1 from tunnel_provider.connections where edge_id = ${edgeId}`).length;
const is = (status: string) => until(`the status ${status}`, async () => (await view()).status === status);

beforeEach(async () => {
  edgeId = randomUUID();
  changed = [];
  const { body } = await provider.send('POST', tunnels, {
    name: `t${randomUUID()}`,
    config_src: 'cloudflare',
  });
  ({ id } = body.result as { id: string });
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const epoch of epochs.splice(0)) await epoch.end();
  await provider.edgeSql`delete from tunnel_provider.edge_epochs`;
});

describe('what an edge holds counts as long as the edge lives', () => {
  it('when it is killed, another edge notices by its session and publishes that, and nothing is listed', async () => {
    await begin();
    const other = await startOther();
    await connect();
    expect([(await view()).status, (await listed()).length]).toEqual(['degraded', 1]);
    other.kill('SIGKILL');
    await is('down');
    expect(await listed()).toEqual([]);
    expect((await view()).conns_inactive_at).not.toBeNull();
    expect(changed).toEqual([id]);
    // Not because it was removed.
    expect(await rows()).toBe(1);
  });

  it('when it hangs it counts no longer, and again with all its connections when it goes on', async () => {
    await begin();
    const other = await startOther();
    await connect();
    other.kill('SIGSTOP');
    await is('down');
    other.kill('SIGCONT');
    await is('degraded');
    expect([await rows(), (await listed()).length]).toEqual([1, 1]);
    expect((await view()).conns_inactive_at).toBeNull();
  });

  it('an edge that starts looks first, before anybody can ask', async () => {
    const other = await startOther();
    await connect();
    other.kill('SIGKILL');
    await until('Postgres to end the session', async () => (await sessions()).length === 0);
    expect((await view()).status).toBe('degraded');
    await begin();
    expect([(await view()).status, changed]).toEqual(['down', [id]]);
  });

  it('a tunnel is deleted with what an edge holds that hangs', async () => {
    await begin();
    (await startOther()).kill('SIGSTOP');
    await connect();
    await is('down');
    await provider.send('DELETE', `${tunnels}/${id}`);
    expect(await rows()).toBe(0);
  });

  it('an edge that ends in order leaves nothing to be noticed', async () => {
    const epoch = await begin();
    await epoch.end();
    epochs.length = 0;
    expect(await provider.edgeSql`select 1 from tunnel_provider.edge_epochs`).toHaveLength(0);
    await until('its session to end', async () => (await sessions()).length === 0);
  });
});

const sessions = () =>
  provider.edgeSql<{ pid: number; name: string }[]>`
    select pid, application_name as name from pg_stat_activity
    where application_name like 'talpa edge %' and usename = current_user`;

describe('what Postgres itself has lost says nothing about an edge', () => {
  it('a session that was cut comes back, and nothing has stopped counting', async () => {
    await begin();
    await startOther();
    await connect();
    const before = await sessions();
    await provider.edgeSql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${`talpa edge ${edgeId}`}`;
    await until('another session', async () => {
      const now = (await sessions()).filter(({ name }) => name.endsWith(edgeId));
      return now.length === 1 && !before.some(({ pid }) => pid === now[0]?.pid);
    });
    expect([(await view()).status, changed]).toEqual(['degraded', []]);
  });

  it.each([
    [{ serverAgeMs: 60_000, sessionAgeMs: 0, isFirst: true }, true],
    [{ serverAgeMs: 60_000, sessionAgeMs: 4_999, isFirst: false }, false],
    [{ serverAgeMs: 60_000, sessionAgeMs: 5_000, isFirst: false }, true],
    [{ serverAgeMs: 4_999, sessionAgeMs: 4_000, isFirst: true }, false],
  ])('%o: settled %s', (seeing, expected) => {
    expect(isSettled(seeing)).toBe(expected);
  });

  it('an edge that has not watched for long enough loses nobody', async () => {
    await connect();
    await provider.edgeSql`insert into tunnel_provider.edge_epochs (id) values (${edgeId})`;
    const hasty = await begin(3_600_000);
    for (let looks = 0; looks < 3; looks += 1) await hasty.look();
    expect((await view()).status).toBe('degraded');
    await begin();
    expect((await view()).status).toBe('down');
  });
});
