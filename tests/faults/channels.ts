import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { type Client, newUser } from '@talpa/test-kit/client';
import type { startReceiver } from '@talpa/test-kit/receiver';
import type { Random } from '@talpa/test-kit/requests/random';
import { until } from '@talpa/test-kit/wait';
import type { Talpa } from '../../launcher/system.ts';
import { pidOf } from './disturb.ts';
import { accuse, type Journal } from './outcome.ts';

const patienceMs = 150_000;
const pauseMs = 500;
type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Lets a receiver fail, hang up after it has the message, or say nothing. */
function disturbReceiver(receiver: Receiver, random: Random, accepted: Set<string>): void {
  receiver.answer((response, { headers }) => {
    const dice = random.fraction();
    if (dice < 0.15) response.writeHead(500).end();
    else if (dice < 0.25) response.destroy();
    else if (dice >= 0.27) {
      accepted.add(String(headers['webhook-id']));
      response.writeHead(204).end();
    }
  });
}

/** Somebody with a webhook, whom an administrator suspends and lets go again until stopped. */
export async function startNotifying(
  talpa: Talpa,
  admin: Client,
  receiver: Receiver,
  random: Random,
): Promise<{ readonly userId: number; readonly accepted: Set<string>; stop(): Promise<void> }> {
  const { client, user } = await newUser(talpa.url, 'basic');
  await client.call('POST /api/user/channels', {
    ...{ kind: 'webhook', name: 'Kanal', topics: ['proxies', 'account'] },
    url: receiver.url,
  });
  const accepted = new Set<string>();
  disturbReceiver(receiver, random, accepted);
  let stopping = false;
  const work = (async () => {
    while (!stopping) {
      const { id } = user;
      await admin.try('POST /api/admin/users/:id/suspension', { id, reason: 'Spam' }).catch(() => undefined);
      await pause(pauseMs);
      await admin.try('DELETE /api/admin/users/:id/suspension', { id }).catch(() => undefined);
      await pause(pauseMs);
    }
  })();
  return {
    userId: user.id,
    accepted,
    stop: async () => {
      stopping = true;
      await work;
    },
  };
}

/** What is in the inbox is delivered, and no more often than the list of deliveries admits. The pauses between attempts are skipped. */
export async function judgeDeliveries(
  talpa: Talpa,
  receiver: Receiver,
  { userId, accepted }: { readonly userId: number; readonly accepted: Set<string> },
  journal: Journal,
): Promise<void> {
  receiver.answer((response, { headers }) => {
    accepted.add(String(headers['webhook-id']));
    response.writeHead(204).end();
  });
  // Nobody is in the middle of an attempt then.
  process.kill(pidOf(talpa, 'notifications'), 'SIGKILL');
  const sql = openDatabase(talpa.stores.adminUrl, 1);
  try {
    await sql`update notifications.deliveries set due_at = now() where due_at is not null`;
    await until(
      'all messages to channels are delivered',
      async () => {
        await sql`update notifications.deliveries set due_at = now() where state = 'queued'`;
        const [row] = await sql<{ left: number }[]>`
          select count(*) as left from notifications.deliveries where state <> 'delivered'`;
        return row?.left === 0;
      },
      patienceMs,
    );
    const notified = await sql<{ kind: string; count: number }[]>`
      select kind, count(*) from notifications.inbox where user_id = ${userId} group by 1 order by 1`;
    const rows = await sql<{ messageId: string; kind: string; attempts: number }[]>`
      select message_id, notifications -> 0 ->> 'kind' as kind, attempts from notifications.deliveries`;
    const ordered = [...Map.groupBy(rows, ({ kind }) => kind)]
      .map(([kind, { length }]) => ({ kind, count: length }))
      .toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
    if (JSON.stringify(ordered) !== JSON.stringify(notified.map(({ kind, count }) => ({ kind, count }))))
      accuse(
        journal,
        `the inbox has ${JSON.stringify(notified)}, the channel was to get ${JSON.stringify(ordered)}`,
      );
    if (rows.length === 0) accuse(journal, 'nobody was notified: the run says nothing of channels');
    for (const { messageId, attempts } of rows) {
      const times = receiver.received.filter(({ headers }) => headers['webhook-id'] === messageId).length;
      if (!accepted.has(messageId)) accuse(journal, `the message ${messageId} was never accepted`);
      if (times < 1 || times > attempts)
        accuse(journal, `the message ${messageId} arrived ${times} times in ${attempts} attempts`);
    }
    const known = new Set(rows.map(({ messageId }) => messageId));
    const foreign = receiver.received.filter(({ headers }) => !known.has(String(headers['webhook-id'])));
    if (foreign.length > 0) accuse(journal, `${foreign.length} requests have an unknown id`);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
