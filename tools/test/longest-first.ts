import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from '../../launcher/paths.ts';
import durations from './durations.json' with { type: 'json' };

/** The seconds that the longest test files took on two cores; a rough figure is enough, and a file may be missing. */
const known: Readonly<Record<string, number>> = durations;
/** A file of so many seconds would be the last to end if it did not start among the first. */
const longSeconds = 40;

/**
 * Starts the longest files first, so that no core idles at the end of a run, and those of all projects side by side:
 * a file in the browser needs a core, one of the servers mostly waits. The files that share a panel stay together,
 * because a worker keeps it only from one to the next.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const files = (await super.sort(specs)).map((spec) => {
      const seconds = known[relative(root, spec.moduleId)] ?? 0;
      return { spec, seconds, turn: turnOf(spec.project.name, seconds) };
    });
    return files.sort((a, b) => a.turn - b.turn || b.seconds - a.seconds).map(({ spec }) => spec);
  }
}

/** When a file's turn comes: the long ones, those that share, all others, and last the shortest, the unit tests. */
function turnOf(project: string, seconds: number): number {
  if (project === 'unit') return 4;
  if (project === 'sharing') return 2;
  return seconds >= longSeconds ? 1 : 3;
}
