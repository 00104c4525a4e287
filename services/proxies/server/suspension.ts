import type { Actor } from '@talpa/contracts';
import { refuseSuspended, suspensionOf } from '../proxy/suspension.ts';
import type { LockedServer } from './row.ts';

/** A server is suspended when all of its proxies are. @throws AppError as `refuseSuspended` */
export function refuseSuspendedServer({ proxies }: Pick<LockedServer, 'proxies'>, actor: Actor): void {
  const present = proxies.filter(({ removedAt }) => removedAt === null);
  const [first] = present;
  if (first && present.every(suspensionOf)) refuseSuspended(first, actor);
}
