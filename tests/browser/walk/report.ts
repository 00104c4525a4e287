import { shrink } from './shrink.ts';
import { describe } from './step.ts';
import { replay, type Walked } from './walk.ts';
import type { Stage } from './world.ts';

const budget = { replays: 60, ms: 240_000 };
/** A fault that stays is there soon; waiting each time for one that goes by itself would cost too much. */
const patienceMs = 8_000;

const kindOf = ([first = '']: readonly string[]) => first.split(':')[0];

/** A failure in words: the shortest path to a fault of the same kind, and that path as data. */
export async function report(stage: Stage, { steps, faults }: Walked, seed: number): Promise<string> {
  const endsAt = Date.now() + budget.ms;
  let last = faults;
  const shortest = await shrink(
    steps,
    async (path) => {
      const walked = await replay({ ...stage, patienceMs }, path);
      if (kindOf(walked.faults) !== kindOf(faults)) return null;
      last = walked.faults;
      return walked.steps;
    },
    (tries) => tries < budget.replays && Date.now() < endsAt,
  );
  const doubt = shortest.isShortest ? '' : ', perhaps not the shortest';
  return [
    `seed ${seed}: ${faults[0]}`,
    `the shortest path (${shortest.steps.length} of ${steps.length} steps, ${shortest.tries} replays${doubt}):`,
    ...shortest.steps.map((step, at) => `  ${at + 1}. ${describe(step)}`),
    ...last.map((fault) => `  → ${fault}`),
    `TALPA_WALK_PATH='${JSON.stringify(shortest.steps)}'`,
  ].join('\n');
}
