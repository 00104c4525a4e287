import { createLog, type Log } from '@talpa/service-kit/log';
import { createEvery } from '@talpa/service-kit/process/every';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import { readSettings } from '@talpa/service-kit/settings';

/** A process in a test: what was started in it is undone, the last first, when it stops. */
export function newProcess(log: Log = createLog('test', 'silent')) {
  const undos: (() => unknown)[] = [];
  const onStop: Lifecycle['onStop'] = (_step, undo) => undos.push(undo);
  const lifecycle: Lifecycle = {
    log,
    settings: readSettings,
    dependsOn: () => {},
    ready: async () => true as const,
    onStop,
    every: createEvery(log, onStop),
    fail: () => {},
  };
  const stop = async () => {
    for (const undo of undos.splice(0).reverse()) await undo();
  };
  return { lifecycle, stop };
}
