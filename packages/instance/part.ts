import type { ChildProcess } from 'node:child_process';
import type { ChildCommand } from './child.ts';

/** A process that is kept alive. */
export interface Part<Facts> {
  readonly name: string;
  /** How to start it; `earlier` holds what its first start reported, so that a restart keeps its port. */
  readonly command: (earlier: Facts | null) => ChildCommand;
  /** Resolves once it works; must hang or reject while it does not, and give up when `signal` says so. */
  readonly ready: (child: ChildProcess, signal: AbortSignal) => Promise<Facts>;
  /** Resolves when it gives a sign of life, whatever that says; without it nobody notices when it hangs. */
  readonly probe?: (facts: Facts, child: ChildProcess, signal: AbortSignal) => Promise<unknown>;
  /** A store may recover for as long as it is doing something: to kill it for that would begin its recovery anew. */
  readonly recovers?: boolean;
  /** Gives up its first start. */
  readonly signal?: AbortSignal | undefined;
  readonly stopSignal?: NodeJS.Signals;
  /** How long it may take to stop, in ms. */
  readonly stopMs?: (facts: Facts) => number;
}

/** A part that works, or is being started again. */
export interface Running<Facts> {
  readonly name: string;
  /** What its first start reported. */
  readonly facts: Facts;
  /** Its process id now; it changes with a restart. */
  pid(): number | null;
  /** Kills it and starts it again, with the sources there are now; resolves when it works. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}
