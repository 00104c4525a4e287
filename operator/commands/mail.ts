import { internalCalls } from '@talpa/contracts';
import { CliError } from '@talpa/instance/cli';
import { command } from './command.ts';

/** Sends an email by the same path as all others, so that the operator sees at once what the mail server says. */
export const mailTest = command({
  usage: 'mail test <address>',
  summary: 'send a test email now, and print the mail server’s answer',
  run: async ({ words: [address], instance, log }) => {
    const input = internalCalls['notifications.testDelivery'].input.safeParse({ address });
    if (!input.success) throw new CliError(`“${address}” is not an email address.`);
    const { result, answer, advice } = await instance.ask('notifications.testDelivery', input.data);
    if (result === 'not_set_up')
      throw new CliError(
        'Email is not set up: SMTP_URL is not set. Administrators hand over links for users from the panel.',
      );
    if (result === 'refused') throw new CliError(`The mail server refused the email: ${answer}`);
    if (result === 'failed')
      throw new CliError(`The email could not be sent: ${[answer, advice].filter(Boolean).join('\n')}`);
    log(`Sent to ${input.data.address}. The mail server answered: ${answer}`);
  },
});
