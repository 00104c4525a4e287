import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@talpa/test-kit/client';
import type { MailServer } from '@talpa/test-kit/mail-server';
import type { startReceiver } from '@talpa/test-kit/receiver';
import { type Random, randomFrom } from '@talpa/test-kit/requests/random';
import { providerOf } from '@talpa/test-kit/tunnels';
import { until } from '@talpa/test-kit/wait';
import type { Talpa } from '../../launcher/system.ts';
import { type Guarding, startGuarding } from './access.ts';
import { judgeDeliveries, startNotifying } from './channels.ts';
import { type Blows, disturbProvider, stallStores, strikeInTurn } from './disturb.ts';
import { disturbMails, judgeMails } from './mails.ts';
import { accuse, type Journal, newJournal } from './outcome.ts';
import { type Sharing, startSharing } from './sharing.ts';
import { TestUser } from './test-user.ts';
import { judge, judgePatienceMs } from './verdict.ts';

export interface FaultRunOptions {
  readonly seed: number;
  /** How long the load lasts at least; every part is struck at least once, however long that takes. */
  readonly seconds: number;
  readonly users: number;
  /** Where the emails go. */
  readonly mails: MailServer;
  /** Where the messages to a channel go. */
  readonly receiver: Awaited<ReturnType<typeof startReceiver>>;
}

export interface FaultRunResult {
  readonly journal: Journal;
  readonly blows: Blows;
  readonly proxies: number;
  readonly visitors: Guarding['judged'];
  /** Of proxies that nobody changed, on servers that others joined and left. */
  readonly siblings: readonly Sharing['judged'][];
  readonly restMs: number;
}

/** Servers of several proxies. */
const sharedServers = 2;
/** Visitors of each kind, those who are allowed in and those who are not. */
const judgedAtLeast = 20;

/**
 * Lets people work while everything is killed or hangs in turn, stores stall, and the provider and the mail server fail, then waits for rest and judges.
 * The seed decides what is done and in which order; how calls interleave is up to the machine.
 */
export async function faultRun(
  talpa: Talpa,
  admin: Client,
  options: FaultRunOptions,
): Promise<FaultRunResult> {
  const journal = newJournal();
  const blows: Blows = [];
  const random = randomFrom(options.seed);
  const users: TestUser[] = [];
  const guarding = await startGuarding(talpa, journal);
  const sharing: Sharing[] = [];
  for (let server = 0; server < sharedServers; server += 1)
    sharing.push(await startSharing(talpa, journal, randomFrom(options.seed + server)));
  await disturbProvider(talpa);
  disturbMails(options.mails, randomFrom(options.seed));
  const notifying = await startNotifying(talpa, admin, options.receiver, randomFrom(options.seed));
  const load = startLoad(talpa, admin, options.users, journal, random, users);
  const endsAt = Date.now() + options.seconds * 1_000;
  try {
    do {
      await strikeInTurn(talpa, random, journal, blows);
      await stallStores(talpa, journal);
    } while (Date.now() < endsAt);
    // How many visitors a run judges is up to the machine.
    await until('enough visitors to be judged', () => guarding.hasJudged(judgedAtLeast));
  } catch (error) {
    accuse(journal, String(error));
  }
  await load.stop();
  await guarding.stop();
  for (const one of sharing) await one.stop();
  await notifying.stop();
  const restFrom = Date.now();
  await providerOf(talpa).clearFaults();
  await judge(talpa, admin, users, journal).catch((error) => accuse(journal, String(error)));
  await judgeMails(talpa, options.mails, users, journal).catch((error) => accuse(journal, String(error)));
  await judgeDeliveries(talpa, options.receiver, notifying, journal).catch((error) =>
    accuse(journal, String(error)),
  );
  for (const one of sharing)
    await one.judge(judgePatienceMs).catch((error) => accuse(journal, String(error)));
  const proxies = users.reduce((sum, user) => sum + user.proxies.length, 0);
  const siblings = sharing.map((one) => one.judged);
  return { journal, blows, proxies, visitors: guarding.judged, siblings, restMs: Date.now() - restFrom };
}

/** Keeps people at work until stopped. Now and then one comes, and an administrator lets one go. */
export function startLoad(
  talpa: Pick<Talpa, 'url'>,
  admin: Client,
  count: number,
  journal: Journal,
  random: Random,
  users: TestUser[],
): { stop(): Promise<void> } {
  let stopping = false;
  const work = async () => {
    const own = randomFrom(random.below(2 ** 31));
    while (!stopping) {
      const user = await TestUser.register(talpa.url, journal, own);
      if (!user) {
        await pause(50);
        continue;
      }
      users.push(user);
      for (let life = own.chance(0.3) ? 15 : Number.POSITIVE_INFINITY; life > 0 && !stopping; life -= 1) {
        const unknownBefore = total(journal.unknown);
        await user.act();
        // A client waits before it tries a closed port again.
        if (total(journal.unknown) > unknownBefore) await pause(50);
      }
      if (!stopping) await dismiss(admin, user, users, journal);
    }
  };
  const workers = Array.from({ length: count }, work);
  return {
    stop: async () => {
      stopping = true;
      await Promise.all(workers);
    },
  };
}

/** An administrator deletes somebody, and tries until they know that it is done. */
async function dismiss(admin: Client, user: TestUser, users: TestUser[], journal: Journal): Promise<void> {
  users.splice(users.indexOf(user), 1);
  user.page.close();
  for (let sure = false; !sure; ) {
    const { status } = await admin
      .try('DELETE /api/admin/users/:id', { id: user.userId })
      .catch(() => ({ status: 0 }));
    sure = status === 204 || status === 404;
    if (status === 204) journal.changes += 1;
    if (!sure) await pause(50);
  }
  const listed = await admin.try('GET /api/admin/users', {}).catch(() => null);
  if (listed?.status === 200 && (listed.body as { id: number }[]).some(({ id }) => id === user.userId))
    accuse(journal, `${user.name} was deleted and is still listed`);
}

/** The sum of what was counted. */
export const total = (counts: Record<string, number>) =>
  Object.values(counts).reduce((sum, one) => sum + one, 0);

/** The figures, for people. */
export function figuresOf(
  { journal, blows, proxies, visitors, siblings, restMs }: FaultRunResult,
  options: FaultRunOptions,
): string {
  const { acknowledged, refused, unknown } = journal;
  const requests = total(acknowledged) + total(refused) + total(unknown);
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ') || 'none';
  return [
    `seed ${options.seed}, ${options.users} users: ${requests} requests`,
    `acknowledged ${total(acknowledged)}: ${list(acknowledged)}`,
    `refused ${total(refused)}: ${list(refused)}`,
    `not known ${total(unknown)}: ${list(unknown)}`,
    `${blows.length} blows, ms to the next acknowledged change: ${blows.map(({ part, blow, recoveryMs }) => `${part} ${blow} ${recoveryMs}`).join(', ')}`,
    `${options.mails.received.length} times the mail server got an email, ${options.receiver.received.length} times a channel a message`,
    `${visitors.allowed} responses to visitors who were allowed in were judged, ${visitors.denied} to those who were not`,
    ...siblings.map(
      ({ visits, webSockets }) =>
        `${visits} visits and ${webSockets} WebSockets of a proxy beside others that came and went`,
    ),
    `${proxies} proxies at the end; at rest and judged after ${restMs} ms`,
    ...journal.violations.map((violation) => `VIOLATION ${violation}`),
  ].join('\n');
}
