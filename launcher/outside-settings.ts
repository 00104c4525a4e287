import { knownSettings, readSettings, type SettingName } from '@talpa/service-kit/settings';
import { withSettingsFolder } from '@talpa/service-kit/settings-folder';
import { CliError } from './cli.ts';

/**
 * Adds to our environment what SETTINGS_FOLDER holds.
 * @throws CliError naming the file that cannot be read
 */
export function joinSettingsFolder(): void {
  Object.assign(process.env, plainly(withSettingsFolder));
}

/**
 * Looks at all settings that are given before anything is started: each process would only report its own, late.
 * @throws CliError naming every one that does not fit
 */
export function refuseWrongSettings(outside: NodeJS.ProcessEnv): void {
  const given = (Object.keys(knownSettings) as SettingName[]).filter((name) => outside[name]);
  plainly(() => readSettings(given, outside));
  if (outside.SMTP_URL && !outside.MAIL_FROM)
    throw new CliError('SMTP_URL needs MAIL_FROM: the address that emails come from.');
  if (outside.SIGN_IN_PROVIDERS && !outside.PUBLIC_URL)
    throw new CliError(
      'SIGN_IN_PROVIDERS needs PUBLIC_URL: the address that providers send browsers back to.',
    );
}

/** What the service kit says of settings is all a person needs. */
function plainly<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : String(error));
  }
}
