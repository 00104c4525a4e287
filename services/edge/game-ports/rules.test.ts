import { describe, expect, it } from 'vitest';
import type { PortConnection } from './connection.ts';
import { createGamePortLimits } from './limits.ts';
import { createOpenConnections, maximumStalled } from './open-connections.ts';
import { proxyHeader } from './proxy-protocol.ts';
import { readRules } from './rows.ts';

const rule = (action: string, match: object, expiresAt: string | null = null) => ({
  action,
  match,
  expiresAt,
});
const rules = (otherwise: string, ...list: object[]) =>
  readRules(JSON.stringify({ kind: 'rules', otherwise, rules: list }));
/** Registered in Germany, in the United States, and nowhere. */
const [german, american, nobodys] = ['46.4.0.1', '8.8.8.8', '192.168.0.1'];

describe('rules of a game port', () => {
  it('let in by country, in their order', () => {
    const { allows } = rules(
      'deny',
      rule('deny', { by: 'address', network: '46.4.0.0/16' }),
      rule('allow', { by: 'country', country: 'US' }),
      rule('allow', { by: 'country', country: 'DE' }),
    );
    expect([german, american, nobodys, '5.9.0.1'].map((one) => allows(one))).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it('count an IPv6 network', () => {
    const { allows } = rules('allow', rule('deny', { by: 'address', network: '2001:db8::/32' }));
    expect([allows('2001:db8:1::1'), allows('2001:db9::1'), allows(german)]).toEqual([false, true, true]);
  });

  it('end with their time', () => {
    const until = new Date(1_000).toISOString();
    const { allows, expires } = rules('deny', rule('allow', { by: 'address', network: german }, until));
    expect([allows(german, 999), allows(german, 1_000), expires]).toEqual([true, false, true]);
  });

  it.each([
    ['a wall', { kind: 'wall', rules: [], methods: ['pin'], require: 'any', days: 1 }],
    [
      'a rule of a path',
      { kind: 'rules', otherwise: 'allow', rules: [rule('deny', { by: 'path', path: '/a' })] },
    ],
    ['an unknown kind', { kind: 'quiz' }],
    ['an unknown match', { kind: 'rules', otherwise: 'allow', rules: [rule('deny', { by: 'moon' })] }],
    ['nothing', null],
  ])('that are %s let nobody in', (_what, stored) => {
    expect(readRules(JSON.stringify(stored)).allows(german)).toBe(false);
  });
});

describe('limits of game ports', () => {
  const limits = (changes: Partial<Parameters<typeof createGamePortLimits>[0]>, now = () => 0) =>
    createGamePortLimits(
      {
        EDGE_TCP_CONNECTION_LIMIT: 100,
        EDGE_TCP_PORT_CONNECTION_LIMIT: 100,
        EDGE_TCP_VISITOR_CONNECTION_LIMIT: 100,
        EDGE_TCP_VISITOR_CONNECTION_LIMIT_PER_MINUTE: 100,
        ...changes,
      },
      now,
    );

  it('count open connections of an address at all ports, of a port, and of all', () => {
    const visitor = limits({ EDGE_TCP_VISITOR_CONNECTION_LIMIT: 2 });
    expect([visitor.enter(1, '1.1.1.1'), visitor.enter(2, '1.1.1.1')]).toEqual([null, null]);
    expect([visitor.enter(3, '1.1.1.1'), visitor.enter(3, '1.1.1.2')]).toEqual(['visitor', null]);
    visitor.leave(1, '1.1.1.1');
    expect(visitor.enter(3, '1.1.1.1')).toBeNull();
    // Who has left takes no place, in whatever form the address is counted.
    const one = limits({
      ...{
        EDGE_TCP_VISITOR_CONNECTION_LIMIT: 1,
        EDGE_TCP_PORT_CONNECTION_LIMIT: 1,
        EDGE_TCP_CONNECTION_LIMIT: 1,
      },
    });
    for (const address of ['1.1.1.1', '2001:db8::1', '2001:DB8::1', '2001:db8::2', '::ffff:1.1.1.1'])
      for (const time of [1, 2]) {
        expect([address, time, one.enter(1, address)]).toEqual([address, time, null]);
        one.leave(1, address);
      }
    const port = limits({ EDGE_TCP_PORT_CONNECTION_LIMIT: 1 });
    expect([port.enter(1, '1.1.1.1'), port.enter(1, '1.1.1.2'), port.enter(2, '1.1.1.2')]).toEqual([
      null,
      'port',
      null,
    ]);
    const all = limits({ EDGE_TCP_CONNECTION_LIMIT: 1 });
    expect([all.enter(1, '1.1.1.1'), all.enter(2, '1.1.1.2')]).toEqual([null, 'all']);
    all.leave(1, '1.1.1.1');
    expect(all.enter(2, '1.1.1.2')).toBeNull();
  });

  it('count new connections of an address, and a whole IPv6 network as one', () => {
    let time = 0;
    const { enter, leave } = limits({ EDGE_TCP_VISITOR_CONNECTION_LIMIT_PER_MINUTE: 2 }, () => time);
    const arrive = (address: string) => {
      const refusal = enter(1, address);
      if (!refusal) leave(1, address);
      return refusal;
    };
    expect([arrive('2001:db8::1'), arrive('2001:db8::2'), arrive('2001:db8::3')]).toEqual([
      null,
      null,
      'rate',
    ]);
    expect(arrive('2001:db8:0:1::1')).toBeNull();
    time = 30_000;
    expect([arrive('2001:db8::4'), arrive('2001:db8::4')]).toEqual([null, 'rate']);
  });
});

it('of more connections that wait for their visitors than an edge can hold, those of the tunnel with the most end', () => {
  const ended = new Map<string, number>();
  const open = createOpenConnections({ get: () => undefined }, 1_000);
  const add = (proxyId: string, count: number) => {
    for (let place = 0; place < count; place += 1) {
      const giveUp = () => void ended.set(proxyId, (ended.get(proxyId) ?? 0) + 1);
      const one = {
        proxyId,
        address: `a${place}`,
        stalledSince: 1,
        giveUp,
        check: () => {},
        port: { publicPort: 1 },
      };
      open.add(one as unknown as PortConnection);
    }
  };
  add('quiet', 12);
  add('loud', maximumStalled);
  open.sweep(2);
  expect([...ended]).toEqual([['loud', 12]]);
});

it('the PROXY header names IPv4 and IPv6 addresses, and writes both as IPv6 where they differ', () => {
  const hex = (source: string, destination: string) =>
    proxyHeader({ address: source, port: 0x1234 }, { address: destination, port: 25_565 })
      .subarray(12)
      .toString('hex');
  expect(hex('192.0.2.1', '198.51.100.2')).toBe(`2111000cc0000201c6336402${'1234'}63dd`);
  expect(hex('2001:db8::a:1', 'fe80::1%eth0')).toBe(
    `2121002420010db80000000000000000000a0001fe800000000000000000000000000001${'1234'}63dd`,
  );
  expect(hex('192.0.2.1', '::1')).toBe(
    `21210024${'0'.repeat(20)}ffffc0000201${'0'.repeat(31)}1${'1234'}63dd`,
  );
  expect(hex('1:2:3:4:5:6:7:8', '::ffff:1.2.3.4')).toBe(
    `2121002400010002000300040005000600070008${'0'.repeat(20)}ffff01020304${'1234'}63dd`,
  );
});
