import { randomUUID } from 'node:crypto';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { addGamePort } from '@talpa/test-kit/game-ports';
import { useStores } from '@talpa/test-kit/stores';
import { expect, it } from 'vitest';
import { findGamePorts, type GamePort } from './rows.ts';

const provider = useProvider(useStores());
const nobody = { kind: 'rules', rules: [], otherwise: 'deny' };

it('a look reads the rules of those game ports alone that have changed since the last one', async () => {
  const add = () => addGamePort(provider, { tunnelId: randomUUID(), targetPort: 1 });
  const [same, changed] = [await add(), await add()];
  const first = await findGamePorts(provider.edgeSql, new Map());
  // Shows what a look has read: it replaces these.
  const marked = new Map<number, GamePort>(
    [...first].map(([port, one]) => [port, { ...one, rules: 'as known', isRestricted: true }]),
  );
  await provider.proxiesSql`
    update game_ports set rules = ${provider.proxiesSql.json(nobody)} where id = ${changed.id}`;
  const later = await add();
  const second = await findGamePorts(provider.edgeSql, marked);
  expect(second.get(same.publicPort)).toMatchObject({ rules: 'as known', isRestricted: true });
  expect(JSON.parse(second.get(changed.publicPort)?.rules ?? '')).toEqual(nobody);
  expect(second.get(changed.publicPort)?.allows('127.0.0.1')).toBe(false);
  expect(JSON.parse(second.get(later.publicPort)?.rules ?? '')).toEqual({ kind: 'open' });
  expect(second.get(later.publicPort)).toMatchObject({ isRestricted: false });
});

it('a look still sees a new tunnel, a suspension, and the next game port on the same public port', async () => {
  const { proxyId, publicPort, id } = await addGamePort(provider, { tunnelId: randomUUID(), targetPort: 1 });
  const first = await findGamePorts(provider.edgeSql, new Map());
  const tunnelId = randomUUID();
  const sql = provider.proxiesSql;
  await sql`
    update proxies set applied = ${sql.json({ tunnelId })}, suspended_at = now() where id = ${proxyId}`;
  const second = await findGamePorts(provider.edgeSql, first);
  expect(second.get(publicPort)).toMatchObject({ tunnelId, isSuspended: true, isRestricted: false });
  await sql`update game_ports set removed_at = now() where id = ${id}`;
  const next = await addGamePort(provider, { tunnelId, targetPort: 1, publicPort, rules: nobody });
  const third = await findGamePorts(provider.edgeSql, second);
  expect(third.get(publicPort)).toMatchObject({ id: next.id, isRestricted: true });
});
