import { measureEdge } from './edge/run.ts';
import { measureGateway } from './measures/gateway.ts';
import { measureLists } from './measures/lists.ts';
import { measurePanel } from './measures/panel.ts';
import { measureStreams } from './measures/streams.ts';

/** `npm run bench [-- gateway|lists|streams|panel|edge|connectors|protection] [--rounds 5] [--seconds 4] [--only <path>|writes] [--waterfall]` */
const words = process.argv.slice(2);
const option = (name: string, otherwise: number) => {
  const at = words.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(words[at + 1]);
};
const only = words.includes('--only') ? words[words.indexOf('--only') + 1] : undefined;
const times = { rounds: option('rounds', 5), seconds: option('seconds', 4) };

const measures: Record<string, () => Promise<unknown>> = {
  gateway: () => measureGateway({ ...times, only }),
  lists: () => measureLists(times),
  streams: () => measureStreams({ streams: option('streams', 1_000) }),
  panel: () => measurePanel({ rounds: times.rounds, isShown: words.includes('--waterfall'), only }),
  edge: () => measureEdge(times),
  connectors: () => import('./edge/idle.ts'),
  protection: () => import('./edge/protection.ts').then((module) => module.measureProtection(times)),
};
if (words.includes('--help')) {
  console.log(`npm run bench -- ${Object.keys(measures).join('|')} [--rounds 5] [--seconds 4]`);
  process.exit(0);
}
const asked = words[0]?.startsWith('--') || !words[0] ? ['gateway', 'lists', 'streams'] : [words[0]];
for (const name of asked) {
  const measure = measures[name];
  if (!measure) throw new Error(`No measure “${name}”. One of: ${Object.keys(measures).join(', ')}`);
  console.log(`\n## ${name}`);
  await measure();
}
process.exit(0);
