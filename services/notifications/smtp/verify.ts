import { serverOf } from './server.ts';

/**
 * Connects to the mail server and signs in, as before an email; sends none.
 * @param url SMTP_URL
 * @throws Error with the server's reason
 */
export async function verifySmtp(url: string, timeoutMs: number): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const limits = { connectionTimeout: timeoutMs, dnsTimeout: timeoutMs, greetingTimeout: timeoutMs };
  const transport = createTransport({ ...serverOf(url), ...limits, socketTimeout: timeoutMs });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}
