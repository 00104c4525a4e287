import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Job, Measured } from './load-job.ts';

/** The process that makes the load. */
export interface Loader {
  run(job: Job): Promise<Measured>;
  end(): void;
}

export async function startLoader(): Promise<Loader> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'load.ts'));
  await once(child, 'message');
  return {
    run: async (job) => {
      child.send(job);
      const [measured] = await once(child, 'message');
      return measured as Measured;
    },
    end: () => void child.kill(),
  };
}
