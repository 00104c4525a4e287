import type { MailServer, ReceivedMail } from './mail-server.ts';
import { until } from './wait.ts';

/** What has been sent to an address, and the links in it. */
export function inboxOf(server: MailServer, address: string) {
  const mails = () => server.received.filter(({ recipient }) => recipient === address);
  return {
    mails,
    subjects: () => mails().map(({ subject }) => subject),
    /** The newest email with a link to this page, once there are so many. */
    link: async (path: string, count = 1): Promise<{ mail: ReceivedMail; url: string; token: string }> =>
      until(`${count} emails with a link to ${path}`, () => {
        const found = mails().flatMap((mail) => {
          const [url, token] = new RegExp(`https?://\\S*${path}#([\\w-]{43})`).exec(mail.text ?? '') ?? [];
          return url && token ? [{ mail, url, token }] : [];
        });
        return found.length >= count && found.at(-1);
      }),
  };
}
