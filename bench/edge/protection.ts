import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AccessPolicy } from '@talpa/contracts';
import { endAll, start } from '../kit/children.ts';
import { cpuBetween, cpuSeconds } from '../kit/processes.ts';
import { spread, table } from '../kit/statistics.ts';
import { host, smallRequests } from './load.ts';
import { startTalpaSystem } from './systems.ts';

const connections = 32;
const warmUpMs = 1_000;
/** A changed policy and a changed log hold at the edge after a second. */
const settleMs = 1_500;
const pin = '493817';

const rule = (network: string): Extract<AccessPolicy, { kind: 'rules' }>['rules'][number] => ({
  action: 'deny',
  match: { by: 'address', network },
  expiresAt: null,
});
const networks = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32'];
const policies = {
  open: { kind: 'open' },
  rules: { kind: 'rules', rules: networks.map(rule), otherwise: 'allow' },
  wall: { kind: 'wall', rules: [], methods: ['pin'], require: 'any', days: 1, emails: [], preflights: false },
} as const satisfies Record<string, AccessPolicy>;

/** What a request is measured with. */
const states = {
  'open, no log': { policy: 'open', log: 'off' },
  'open, log': { policy: 'open', log: 'metadata' },
  'four rules, no log': { policy: 'rules', log: 'off' },
  'wall passed, no log': { policy: 'wall', log: 'off' },
} as const;
type State = keyof typeof states;

/** Measures what access policies and the request log cost the edge for each small request, in turn, round by round. */
export async function measureProtection(times: { rounds: number; seconds: number }): Promise<void> {
  const origin = await start('edge/origin.ts');
  const system = await startTalpaSystem(origin.port);
  const { port, owner, proxyId: id } = system;
  const set = async ({ policy, log }: (typeof states)[State]) => {
    const secret = policy === 'wall' ? { pin } : {};
    await owner.call('PUT /api/tunnel-configs/:id/access', { id, policy: policies[policy], ...secret });
    await owner.call('PUT /api/tunnel-configs/:id/request-log', { id, mode: log });
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    return policy === 'wall' ? passWall(port) : undefined;
  };
  const [edge = 0] = system.edge;
  const names = Object.keys(states) as State[];
  const figures = new Map<State, number[]>(names.map((name) => [name, []]));
  try {
    for (let round = 0; round < times.rounds; round += 1)
      for (const name of names) {
        const cookie = await set(states[name]);
        await smallRequests(port, connections, warmUpMs, cookie);
        const before = cpuSeconds({ edge });
        const { length } = await smallRequests(port, connections, times.seconds * 1_000, cookie);
        const { edge: spent = 0 } = cpuBetween(before, cpuSeconds({ edge }));
        figures.get(name)?.push((spent / length) * 1e6);
      }
  } finally {
    await system.stop();
    await endAll();
  }
  const base = figures.get('open, no log') ?? [];
  const rows = names.map((name) => {
    const own = figures.get(name) ?? [];
    const ratios = own.map((value, round) => value / (base[round] ?? 1));
    return [name, spread(own), spread(ratios)];
  });
  console.log(table(['', 'edge µs', '÷ open, no log'], rows));
}

/** Enters the PIN as a browser does. @returns the cookie of a visitor who has passed */
async function passWall(port: number): Promise<string> {
  const headers = { host, 'content-type': 'application/x-www-form-urlencoded' };
  const sent = request({ port, host: '127.0.0.1', path: '/.talpa/access/pin', method: 'POST', headers });
  sent.end(new URLSearchParams({ secret: pin, path: '/' }).toString());
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  const [cookie = ''] = response.headers['set-cookie'] ?? [];
  if (!cookie) throw new Error(`the wall answered ${response.statusCode}`);
  return cookie.split(';', 1)[0] ?? '';
}
