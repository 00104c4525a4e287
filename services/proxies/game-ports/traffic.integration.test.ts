import { randomUUID } from 'node:crypto';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { expect, it } from 'vitest';
import { useOf } from './traffic.ts';

const verbs = useVerbs(useStores(), 'proxies', { withEdge: true });
const [used, unused] = [{ id: 1 }, { id: 2 }];

it('the traffic of a game port is what all edges have counted; an edge that has died has nothing open', async () => {
  const count = (age: string, bytes: number) => verbs.edgeSql`
    insert into port_traffic (port_id, quarter, bytes_in, bytes_out, connections, refused, last_at)
    values (${used.id}, now() - ${age}::interval, ${bytes}, ${2 * bytes}, 3, 1, now() - ${age}::interval)`;
  await count('25 hours', 100);
  await count('1 hour', 10);
  const hold = (open: number, seen: string) => verbs.edgeSql`
    insert into port_connections (edge_id, port_id, open, seen_at)
    values (${randomUUID()}, ${used.id}, ${open}, now() - ${seen}::interval)`;
  for (const [open, seen] of [
    [2, '1 second'],
    [3, '4 seconds'],
    [50, '1 hour'],
  ] as const)
    await hold(open, seen);
  const use = await useOf(verbs.sql, [used, unused]);
  expect(use.get(unused.id)).toBeUndefined();
  expect(use.get(used.id)?.isClosed).toBe(false);
  const { lastConnectionAt, ...counts } = use.get(used.id)?.traffic ?? {};
  expect(counts).toEqual({
    ...{ bytesIn: 110, bytesOut: 220, bytesInDay: 10, bytesOutDay: 20, connections: 6, refused: 2, open: 5 },
  });
  const age = Date.now() - Date.parse(lastConnectionAt ?? '');
  expect(Math.round(age / 60_000)).toBe(60);
});

it('a public port that an edge could not open says so, until the edge has opened it or has died', async () => {
  const [closed, old] = [{ id: 3 }, { id: 4 }];
  await verbs.edgeSql`
    insert into port_connections (edge_id, port_id, open, is_closed, seen_at) values
      (${randomUUID()}, ${closed.id}, 0, true, now()), (${randomUUID()}, ${closed.id}, 4, false, now()),
      (${randomUUID()}, ${old.id}, 0, true, now() - interval '16 seconds')`;
  const use = await useOf(verbs.sql, [closed, old]);
  expect(use.get(closed.id)).toMatchObject({ isClosed: true, traffic: { open: 4, connections: 0 } });
  expect(use.get(old.id)).toBeUndefined();
});
