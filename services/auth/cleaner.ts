import type { AnySql, Sql } from '@talpa/service-kit/database/sql';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import { deleteEndedAddresses } from './emails/sql.ts';
import { deleteEndedRequests } from './identities/requests.ts';
import { deleteEndedInvitations } from './invitations/sql.ts';
import { deleteOldTokens } from './one-time-tokens/sql.ts';
import { deleteEndedPasskeyChallenges } from './passkeys/challenges.ts';
import { deleteOldRegistrations } from './registrations/proof.ts';
import { deleteEndedFactors } from './second-factors/sql.ts';
import { deleteOldDevices } from './sessions/devices.ts';
import { deleteEndedSessions } from './sessions/sql.ts';
import { deleteEndedChallenges } from './sign-ins/challenges.ts';

const intervalMs = 10 * 60_000;

/** Deletes now and then what has ended; it is refused long before. */
export function startCleaner(sql: Sql, lifecycle: Lifecycle): void {
  lifecycle.every(intervalMs, () => deleteEnded(sql), {
    failed: 'ended sessions, links, addresses, devices and invitations could not be deleted, retrying',
    delayed: true,
  });
}

/** One pass. */
export async function deleteEnded(sql: AnySql): Promise<void> {
  await deleteEndedSessions(sql);
  await deleteOldTokens(sql);
  await deleteEndedAddresses(sql);
  await deleteOldDevices(sql);
  await deleteEndedInvitations(sql);
  await deleteEndedFactors(sql);
  await deleteEndedChallenges(sql);
  await deleteEndedPasskeyChallenges(sql);
  await deleteEndedRequests(sql);
  await deleteOldRegistrations(sql);
}
