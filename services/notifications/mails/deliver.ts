import { randomUUID } from 'node:crypto';
import { isBrief, isSubscribed, limitOf, mail as mailSchema, readingOf } from '@talpa/contracts';
import { callInternal, systemCall } from '@talpa/service-kit/bus/request';
import { userChangedSubject } from '@talpa/service-kit/bus/subjects';
import type { Log } from '@talpa/service-kit/log';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import type { Parts } from '../context.ts';
import { insertNotifications } from '../inbox/insert.ts';
import type { Delivery } from '../smtp/outcome.ts';
import type { Render } from '../templates/render.ts';
import { admit } from './limits.ts';
import { attempted, uncertain } from './metrics.ts';
import { quietFor } from './quiet.ts';
import { recipientOf } from './recipient.ts';
import { pauseAfter } from './retry.ts';
import { type ClaimedMail, dropMail, endAttempt, storeHandOver } from './sql.ts';
import { emailWishOf } from './wish.ts';

/** Something of ours is away: no attempt was made. */
const ownTroubleMs = 10_000;

type Context = Pick<ServiceBase, 'sql' | 'nc' | 'transaction'> &
  Pick<Parts, 'smtp' | 'render'> & { readonly log: Log };

/** Sends one email, or keeps it where there is no server, and stores what has become of it. */
export async function deliver(context: Context, mail: ClaimedMail): Promise<void> {
  const { sql, nc, smtp, log } = context;
  const { id: mailId, kind, userId } = mail;
  if (mail.wasHandedOver) {
    uncertain.inc();
    log.warn({ mailId }, 'email may have been sent by a process that has died: sending it again');
  }
  if (!smtp && isBrief(kind)) {
    log.warn({ mailId, kind }, 'email dropped, because SMTP_URL is not set: nobody could use it later');
    return dropMail(sql, mail);
  }
  const wish = isSubscribed(kind) ? await emailWishOf(sql, userId) : null;
  const quietMs = quietFor(wish?.quietHours ?? null);
  // It takes in what comes meanwhile.
  if (quietMs > 0) return endAttempt(sql, mail, { state: 'queued', retryInMs: quietMs });
  const recipient = await recipientOf(nc, mail).catch((error) => {
    log.debug({ err: error, mailId }, 'recipient of an email cannot be asked for, retrying');
    return undefined;
  });
  if (recipient === undefined) return endAttempt(sql, mail, { state: 'queued', retryInMs: ownTroubleMs });
  if (recipient === null) return dropMail(sql, mail);
  if (recipient.isOutdated || wish?.wantsEmail === false) {
    await endAttempt(sql, mail, { state: 'outdated' });
  } else if (recipient.address === null) {
    await endAttempt(sql, mail, { state: 'no_address' });
  } else {
    const { username, language, address, addressId, isUndeliverable, token, values } = recipient;
    const written = write(context, mail, { username, language, token, values });
    if (written === null) {
      await storeEnd(context, mail, unwritten);
    } else if (!smtp) {
      const { unsubscribeUrl: _apart, ...content } = written;
      await endAttempt(sql, mail, { state: 'kept', ...(readingOf(kind) === 'none' ? {} : { content }) });
      attempted.labels('kept').inc();
    } else {
      const admission = await admit(context, mail, address);
      if (admission.result === 'later')
        return endAttempt(sql, mail, { state: 'queued', retryInMs: admission.inMs });
      if (admission.result === 'refused') return refuse(context, mail);
      if (!(await storeHandOver(sql, mail))) return;
      // Another attempt makes another code: servers that drop what they had already would keep the one that no longer counts.
      const id = isBrief(kind) ? randomUUID() : mail.cause;
      const delivery = await smtp.send({ ...written, to: address, id });
      const changesAddress = delivery.isUndeliverable || (isUndeliverable && delivery.result === 'sent');
      if (
        changesAddress &&
        addressId !== null &&
        !(await reportAddress(context, mail, addressId, delivery))
      ) {
        // Refused is refused: the server is asked once more rather than the address forgotten.
        return endAttempt(sql, mail, { state: 'queued', answer: delivery.answer, retryInMs: ownTroubleMs });
      }
      await storeEnd(context, mail, delivery);
    }
  }
  nc.publish(userChangedSubject('notifications', userId));
}

/**
 * Stores in auth whether the server refuses the address, and notifies its user when it does.
 * @returns false when auth is away, and does not know that an address is refused
 */
async function reportAddress(
  { nc, log, transaction }: Context,
  { id: mailId, userId }: ClaimedMail,
  addressId: number,
  { isUndeliverable }: Delivery,
): Promise<boolean> {
  const stored = await callInternal(
    nc,
    'auth.storeDeliverability',
    { addressId, isUndeliverable },
    systemCall('auth.storeDeliverability'),
  ).catch((error) => {
    log.debug({ err: error, mailId }, 'what a mail server says of an address cannot be stored');
    return undefined;
  });
  const since = stored?.undeliverableSince ?? null;
  if (since !== null)
    await transaction((tx) =>
      insertNotifications(tx, [
        {
          userId,
          cause: `email_undeliverable:${addressId}:${since}`,
          content: { kind: 'email_undeliverable', params: {} },
        },
      ]),
    );
  return stored !== undefined || !isUndeliverable;
}

/** Its address has had its share: more would harass its reader. */
async function refuse({ sql, log }: Context, mail: ClaimedMail): Promise<void> {
  const { id: mailId, kind } = mail;
  const { count, hours } = limitOf(kind);
  const answer = `Not sent: Talpa sends an address ${count} emails of this kind in ${hours} h.`;
  attempted.labels('refused').inc();
  log.warn({ mailId, kind }, 'email not sent, because its address has got too many of this kind');
  await endAttempt(sql, mail, { state: 'refused', answer });
}

/** As if the server had failed: it is tried again, and given up in the end. */
const unwritten: Delivery = {
  result: 'failed',
  isUncertain: false,
  isUndeliverable: false,
  advice: null,
  answer: 'The text of this email could not be made.',
};

function write(
  { render, log }: Context,
  mail: ClaimedMail,
  reader: Parameters<Render>[1],
): ReturnType<Render> | null {
  try {
    return render(mailSchema.parse({ kind: mail.kind, params: mail.params }), reader);
  } catch (error) {
    log.error(
      { err: error, mailId: mail.id, kind: mail.kind },
      'text of an email could not be made: report this',
    );
    return null;
  }
}

async function storeEnd({ sql, log }: Context, mail: ClaimedMail, delivery: Delivery): Promise<void> {
  const { result, answer, isUncertain, advice } = delivery;
  const { id: mailId, kind } = mail;
  const retryInMs = result === 'failed' ? pauseAfter(mail.failures) : null;
  attempted.labels(result).inc();
  if (isUncertain) uncertain.inc();
  if (result !== 'failed') {
    await endAttempt(sql, mail, { state: result, answer });
    // Not the answer: servers repeat the address in it.
    if (result === 'sent') log.info({ mailId, kind }, 'email sent');
    else log.warn({ mailId, kind }, 'email refused by the mail server: see the email log');
    return;
  }
  const known = advice === null ? {} : { advice };
  if (retryInMs === null) {
    attempted.labels('dead_letter').inc();
    await endAttempt(sql, mail, { state: 'dead_letter', answer, isUncertain, isFailure: true });
    log.error({ mailId, kind, ...known }, 'email given up after all attempts: see the email log');
    return;
  }
  await endAttempt(sql, mail, { state: 'queued', answer, isUncertain, isFailure: true, retryInMs });
  log.warn({ mailId, kind, retryInMs, isUncertain, ...known }, 'email could not be sent, retrying');
}
