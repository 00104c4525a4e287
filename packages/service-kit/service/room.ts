import { busCalls, needsRoom, type ServiceName } from '@talpa/contracts';
import { AppError } from '../app-error.ts';
import type { DiskSpace } from '../disk.ts';

/** A service's verbs, of which those that create something refuse to while disk space is short. */
export function refuseWithoutRoom<V extends object>(
  service: ServiceName,
  verbs: V,
  space: () => DiskSpace | null,
): V {
  const creating = new Set(
    busCalls.filter((call) => needsRoom(call.errors)).map(({ subject }) => subject.slice(service.length + 1)),
  );
  const guarded = Object.entries(verbs).map(([name, verb]) => [
    name,
    creating.has(name)
      ? async (...call: unknown[]) => {
          if (space()?.isShort) throw new AppError('storage_full');
          return verb(...call);
        }
      : verb,
  ]);
  return Object.fromEntries(guarded) as V;
}
