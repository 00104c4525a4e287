import type { NatsConnection } from '@nats-io/transport-node';
import { type InternalCalls, mail as mailSchema, type ResponseOf, type TextParams } from '@talpa/contracts';
import { callInternal, systemCall } from '@talpa/service-kit/bus/request';
import type { ClaimedMail } from './sql.ts';

type Known = NonNullable<ResponseOf<InternalCalls['auth.prepareMail']>>;
/** Whom an email goes to, as it is now, and what is secret in it. The name is null of somebody who may have no account. */
type Recipient = Omit<Known, 'username'> & {
  readonly username: string | null;
  /** What its text needs beside its params. */
  readonly values?: TextParams;
};

/** Of somebody who may have no account. */
const stranger = { username: null, addressId: null, isUndeliverable: false, isOutdated: false };

/** Asks the owner of the address; null: there is no recipient any more. */
export async function recipientOf(nc: NatsConnection, claimed: ClaimedMail): Promise<Recipient | null> {
  const { kind, userId, cause, params } = claimed;
  if (kind === 'access_code') {
    const code = await callInternal(
      nc,
      'proxies.prepareAccessCode',
      { codeId: cause },
      systemCall('proxies.prepareAccessCode'),
    );
    if (!code) return null;
    const { address, language, ...values } = code;
    return { ...stranger, address, language, token: null, values };
  }
  if (kind !== 'proxy_invitation_link')
    return callInternal(nc, 'auth.prepareMail', { userId, cause, kind }, systemCall('auth.prepareMail'));
  const mail = mailSchema.parse({ kind, params });
  if (mail.kind !== 'proxy_invitation_link') return null;
  const { memberId, language } = mail.params;
  const call = systemCall('proxies.prepareInvitation');
  const invited = await callInternal(nc, 'proxies.prepareInvitation', { memberId }, call);
  if (!invited) return null;
  return { ...stranger, ...invited, language };
}
