import { type ChannelKind, installationKinds } from '@talpa/contracts';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import type { Log } from '@talpa/service-kit/log';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import type { Owner } from '../channels/sql.ts';
import { unsealTarget } from '../channels/target.ts';
import { turnOff } from '../channels/turn-off.ts';
import { quietFor } from '../mails/quiet.ts';
import { emailWishOf } from '../mails/wish.ts';
import type { Outbound, OutboundRequest, OutboundResult } from '../outbound/client.ts';
import type { NotificationsSettings } from '../settings.ts';
import { sayAll } from './message.ts';
import { attempted, uncertain } from './metrics.ts';
import { requestOf } from './requests.ts';
import { pauseAfter } from './retry.ts';
import { type ClaimedDelivery, endAttempt, postpone, storeHandOver } from './sql.ts';

export interface DeliveryParts {
  readonly outbound: Outbound;
  readonly channelKeys: KeyRing;
  readonly settings: Pick<NotificationsSettings, 'PUBLIC_URL' | 'TIME_ZONE'>;
}
type Context = Pick<ServiceBase, 'sql' | 'transaction'> &
  DeliveryParts & {
    readonly log: Log;
    /** Something has become of a message to a channel of theirs. */
    readonly changed: (owner: Owner) => void;
  };

/** Makes one attempt to bring a message to a channel, and stores what has become of it. */
export async function deliver(context: Context, delivery: ClaimedDelivery): Promise<void> {
  const { sql, log, outbound } = context;
  const { id: deliveryId, userId, notifications } = delivery;
  if (delivery.wasHandedOver) {
    uncertain.inc();
    log.warn({ deliveryId }, 'message may have been delivered by a process that has died: sending it again');
  }
  const quietMs =
    userId === null || isUrgent(delivery) ? 0 : quietFor((await emailWishOf(sql, userId)).quietHours);
  // A group takes in what comes meanwhile; a webhook's message stays one notification.
  if (quietMs > 0)
    return postpone(sql, delivery, {
      ms: quietMs,
      isOpen: delivery.kind !== 'webhook' && notifications.length > 0,
    });
  const request = write(context, delivery);
  if (request === null) {
    await storeEnd(context, delivery, unwritten);
  } else {
    if (!(await storeHandOver(sql, delivery, request.body))) return;
    await storeEnd(context, delivery, await outbound(request));
  }
  context.changed(userId);
}

/** Somebody waits for a test, and what concerns security waits for nobody. */
const isUrgent = ({ notifications }: ClaimedDelivery) =>
  notifications.every(({ kind }) => installationKinds[kind].topic === 'security');

/** As if the receiver had failed: it is tried again, and given up in the end. */
const unwritten = { status: null, failure: 'unwritten', isUncertain: false, durationMs: 0 } as const;

function write({ channelKeys, settings, log }: Context, delivery: ClaimedDelivery): OutboundRequest | null {
  const {
    id: deliveryId,
    channelId,
    messageId: id,
    createdAt,
    notifications,
    kind,
    formerSecretUntil,
  } = delivery;
  try {
    const target = unsealTarget(channelKeys, channelId, delivery);
    const said = sayAll(notifications, delivery, settings);
    return requestOf({ kind, target, formerSecretUntil }, { id, createdAt, said });
  } catch (error) {
    log.error(
      { err: error, deliveryId, channelId },
      'message to a channel could not be made: check CHANNEL_KEYS, or report this',
    );
    return null;
  }
}

/** What a receiver means by a status. */
function meaningOf(kind: ChannelKind, status: number | null): 'delivered' | 'gone' | 'failed' {
  if (status === null) return 'failed';
  if (status >= 200 && status < 300) return 'delivered';
  // Discord says 404 of a webhook that was deleted.
  return status === 410 || (kind === 'discord' && status === 404) ? 'gone' : 'failed';
}

async function storeEnd(
  context: Context,
  delivery: ClaimedDelivery,
  result: OutboundResult | typeof unwritten,
): Promise<void> {
  const { sql, log } = context;
  const { id: deliveryId, channelId, kind } = delivery;
  const { status, failure, durationMs } = result;
  const meaning = meaningOf(kind, status);
  const isUncertain = result.status === null && result.isUncertain;
  const answer = result.status === null ? null : printable(result.text);
  const retryInMs =
    meaning === 'failed'
      ? pauseAfter(delivery.failures, result.status === null ? undefined : result.retryAfter)
      : null;
  const state = meaning === 'delivered' ? 'delivered' : retryInMs === null ? 'given_up' : 'queued';
  if (isUncertain) uncertain.inc();
  attempted.labels(meaning).inc();
  await endAttempt(sql, delivery, { state, status, failure, answer, durationMs, isUncertain, retryInMs });
  // Neither the address nor the answer, which may repeat it.
  const known = { deliveryId, channelId, status, failure, durationMs };
  if (meaning === 'delivered') return log.info(known, 'message delivered to a channel');
  if (state === 'given_up' && meaning === 'failed') attempted.labels('given_up').inc();
  log.info({ ...known, retryInMs }, 'message could not be delivered to a channel: its user sees why');
  // A single failure proves nothing: the next attempt may succeed.
  if (meaning === 'gone' || (state === 'given_up' && failure !== 'unwritten'))
    await context.transaction((tx) => turnOff(tx, channelId, meaning === 'gone'));
}

/** Postgres stores no NUL. */
const printable = (text: string) => text.replace(/\0/g, '\ufffd');
