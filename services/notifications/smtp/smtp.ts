import type { Readable } from 'node:stream';
import type { MailContent } from '@talpa/contracts';
import type { createTransport } from 'nodemailer';
import type { NotificationsSettings } from '../settings.ts';
import { answerOf, type Delivery, failureOf, type SmtpFailure } from './outcome.ts';
import { serverOf } from './server.ts';

interface OutgoingMail extends MailContent {
  readonly to: string;
  /** A repetition has the same, and with it the same Message-ID. */
  readonly id: string;
  /** Where a POST ends such emails; left out where nothing does. */
  readonly unsubscribeUrl?: string | undefined;
}

/** The way to the mail server. */
export interface Smtp {
  /** The sender's address, as recipients see it. */
  readonly from: string;
  /** Never fails: what goes wrong is a result, too. */
  send(mail: OutgoingMail): Promise<Delivery>;
  /** Whether the server has refused the sender of the last email: it does so only when one is sent. */
  refusesSender(): boolean;
  close(): void;
}

/** How long each step may take, in ms, and how long all of them together. */
const patience = { connect: 10_000, greeting: 10_000, silence: 30_000, total: 60_000 };
export const totalMs = patience.total;

type Settings = Pick<NotificationsSettings, 'SMTP_URL' | 'MAIL_FROM' | 'MAIL_REPLY_TO'>;

/**
 * @returns null where no mail server is set
 * @throws Error where emails would have no sender
 */
export function createSmtp(settings: Settings, limits = patience): Smtp | null {
  const { SMTP_URL: url, MAIL_FROM: from, MAIL_REPLY_TO: replyTo } = settings;
  if (!url) return null;
  if (!from) throw new Error('SMTP_URL needs MAIL_FROM: the address that emails come from');
  const host = from.replace(/^.*@|>$/g, '');
  let transport: ReturnType<typeof open> | undefined;
  let refusesSender = false;

  const open = async () => {
    // Loaded when the first email is sent: most starts send none.
    const { createTransport } = await import('nodemailer');
    const made = createTransport({
      ...serverOf(url),
      pool: true,
      maxConnections: 5,
      // A pooled connection that the server has closed meanwhile: once more on a new one. Never when the email's text was sent.
      maxRequeues: 1,
      connectionTimeout: limits.connect,
      dnsTimeout: limits.connect,
      greetingTimeout: limits.greeting,
      socketTimeout: limits.silence,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const texts = watchTexts(made);
    return { transport: made, texts };
  };

  return {
    from,
    send: async ({ to, id, subject, text, html, unsubscribeUrl }) => {
      transport ??= open();
      const { transport: opened, texts } = await transport;
      const messageId = `<${id}@${host}>`;
      try {
        const { response } = await opened.sendMail({
          from,
          ...(replyTo ? { replyTo } : {}),
          // Not parsed: an address is one address.
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId,
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl ? oneClick(unsubscribeUrl) : {}),
          },
          signal: AbortSignal.timeout(limits.total),
        });
        refusesSender = false;
        return {
          result: 'sent',
          answer: answerOf(response),
          isUncertain: false,
          isUndeliverable: false,
          advice: null,
        };
      } catch (error) {
        const { command } = error as SmtpFailure;
        // What never came so far says nothing of it.
        if (command === 'MAIL FROM' || command === 'RCPT TO') refusesSender = command === 'MAIL FROM';
        return failureOf(error as SmtpFailure, texts.get(messageId)?.readableDidRead ?? false);
      } finally {
        texts.delete(messageId);
      }
    },
    refusesSender: () => refusesSender,
    close: () => void transport?.then((opened) => opened.transport.close()),
  };
}

/** RFC 8058: mail programs show a button that sends a POST there. */
const oneClick = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** The texts of the emails under way, by Message-ID: one that was read has been sent to the server, in part at least. */
function watchTexts(transport: ReturnType<typeof createTransport>): Map<string, Readable> {
  const texts = new Map<string, Readable>();
  transport.use('stream', (mail, done) => {
    const { message } = mail;
    const create = message.createReadStream.bind(message);
    message.createReadStream = (options) => {
      const text = create(options);
      texts.set(message.messageId(), text);
      return text;
    };
    done();
  });
  return texts;
}
