import { randomBytes } from 'node:crypto';
import { type InternalName, internalCalls, issuesOf, issueText } from '@talpa/contracts';
import { CliError } from '@talpa/instance/cli';
import { ensureFirstAdmin, forgetPassword } from '../../launcher/first-admin.ts';
import { command, type Invocation } from './command.ts';

/** Creates an administrator. The password is that of TALPA_ADMIN_PASSWORD, else made up and shown once. */
export const adminCreate = command({
  usage: 'admin create <username>',
  summary: 'create an administrator',
  run: (invocation) => giveAdmin('auth.createAdmin', invocation, 'is now an administrator'),
});

/** Gives somebody a new password and the administrator's rights, and ends their sessions. */
export const adminReset = command({
  usage: 'admin reset <username>',
  summary: 'give a user a new password and administrator rights, and end their sessions',
  run: (invocation) =>
    giveAdmin('auth.resetAdmin', invocation, 'has a new password and is now an administrator'),
});

/** Lets a user choose a new password who has forgotten theirs; they keep their rights, unlike with `admin reset`. */
export const adminResetLink = command({
  usage: 'admin reset-link <username>',
  summary: 'create a link with which a user sets a new password once',
  run: async ({ words, instance, log }) => {
    const username = words[0] ?? '';
    const { url, path, expiresAt } = await instance.ask(
      'auth.createResetLinkByName',
      { username },
      { not_found: `There is no user “${username}”.` },
    );
    const until = new Date(expiresAt).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'long' });
    log(
      `With this link ${username} sets a new password, once, until ${until}. Earlier links no longer work.`,
    );
    log(url ?? path);
    if (url === null)
      log('Put the address of the panel before it. With the setting PUBLIC_URL the link is complete.');
  },
});

/** The first start's administrator, for those who start in containers: a log is no place for their password. */
export const adminFirst = command({
  usage: 'admin first',
  summary: 'create the first administrator if there is none, and show the password once',
  options: { keep: { type: 'boolean', what: 'do not show the password yet' } },
  run: async ({ options, instance, log }) => {
    const { secrets } = instance.folders;
    const given = process.env.TALPA_ADMIN_PASSWORD || undefined;
    const admin = await ensureFirstAdmin(instance, secrets, given);
    if (!admin) return log('There is already an administrator, and the password has been shown.');
    if (admin.password === given)
      return log(`${admin.username} signs in with the password from TALPA_ADMIN_PASSWORD.`);
    if (options.keep)
      return log(`${admin.username} has been created. Run “admin first” to see the password.`);
    log(`${admin.username} / ${admin.password}   (shown only once)`);
    forgetPassword(secrets);
  },
});

async function giveAdmin(
  call: Extract<InternalName, 'auth.createAdmin' | 'auth.resetAdmin'>,
  { words, instance, log }: Invocation,
  what: string,
): Promise<void> {
  const given = process.env.TALPA_ADMIN_PASSWORD;
  const password = given || randomBytes(9).toString('base64url');
  const read = internalCalls[call].input.safeParse({ username: words[0], password }, { reportInput: true });
  if (!read.success) {
    const issues = issuesOf(read.error).map(({ key, params }) => issueText(key, 'en', params));
    throw new CliError(issues.join('\n'));
  }
  await instance.ask(call, read.data, { not_found: `There is no user “${read.data.username}”.` });
  log(`${read.data.username} ${what}.`);
  log(
    given ? 'The password is the one in TALPA_ADMIN_PASSWORD.' : `Password: ${password}   (shown only once)`,
  );
}
