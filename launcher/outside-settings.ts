import { doctorWords, tunnelProviders } from '@talpa/contracts';
import { CliError } from '@talpa/instance/cli';
import { edgeNames } from '@talpa/instance/ports.mjs';
import { knownSettings, readSettings, type SettingName } from '@talpa/service-kit/settings';
import { defaultTunnelDomain } from '@talpa/service-kit/settings/edge-address';
import { nearNames } from '@talpa/service-kit/settings/near-names';
import { withSettingsFolder } from '@talpa/service-kit/settings-folder';
import { refusePortsBesideCookies, refuseServersWithin } from '../services/edge/game-ports/range.ts';
import { refuseNameWithCookies } from '../services/proxies/game-ports/name.ts';

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
  refuseServersAmongGamePorts(outside);
  if (outside.SMTP_URL && !outside.MAIL_FROM)
    throw new CliError('SMTP_URL needs MAIL_FROM: the address that emails come from.');
  refuseHalfPublic(outside);
  if (edgeNames(outside).length > 1 && (outside.EDGE_PEER_PORT || outside.EDGE_PEER_ADDRESS))
    throw new CliError(
      'EDGE_PEER_PORT and EDGE_PEER_ADDRESS belong to a single edge process: leave them out, or set EDGE_PROCESSES=1.',
    );
  if (outside.SIGN_IN_PROVIDERS && !outside.PUBLIC_URL)
    throw new CliError(
      'SIGN_IN_PROVIDERS needs PUBLIC_URL: the address that providers send browsers back to.',
    );
}

/** Game ports would be opened where a server of the installation listens already. */
function refuseServersAmongGamePorts(outside: NodeJS.ProcessEnv): void {
  const { EDGE_TCP_PORTS, TUNNEL_PROVIDER } = readSettings(['EDGE_TCP_PORTS', 'TUNNEL_PROVIDER'], outside);
  if (!tunnelProviders[TUNNEL_PROVIDER].gamePorts) return;
  const { EDGE_TCP_HOST, PUBLIC_URL } = outside;
  const EDGE_HOST = outside.EDGE_HOST || outside.HOST;
  plainly(() => refusePortsBesideCookies({ EDGE_TCP_PORTS, EDGE_TCP_HOST, EDGE_HOST, PUBLIC_URL }));
  const { EDGE_TCP_NAME, TUNNEL_DOMAIN = defaultTunnelDomain } = outside;
  plainly(() => refuseNameWithCookies({ EDGE_TCP_NAME, PUBLIC_URL, TUNNEL_DOMAIN }));
  const { DATABASE_URL, NATS_URL, REDIS_URL, EDGE_PANEL_URL } = outside;
  plainly(() => refuseServersWithin(EDGE_TCP_PORTS, { DATABASE_URL, NATS_URL, REDIS_URL, EDGE_PANEL_URL }));
}

/** What ACME_EMAIL takes beside it. */
function refuseHalfPublic(outside: NodeJS.ProcessEnv): void {
  const { ACME_EMAIL, PUBLIC_URL } = outside;
  if (!ACME_EMAIL) return;
  if (!PUBLIC_URL?.startsWith('https:'))
    throw new CliError(
      'ACME_EMAIL needs PUBLIC_URL with https: the address that browsers use for the panel.',
    );
  if (!/^[^.]+\.[^.]/.test(new URL(PUBLIC_URL).hostname) || /^[\d.[]/.test(new URL(PUBLIC_URL).hostname))
    throw new CliError(
      'ACME_EMAIL needs a PUBLIC_URL with a domain name: no authority issues certificates for others.',
    );
  const { TUNNEL_PROVIDER } = readSettings(['TUNNEL_PROVIDER'], outside);
  if (!tunnelProviders[TUNNEL_PROVIDER].certificates)
    throw new CliError(
      'ACME_EMAIL needs TUNNEL_PROVIDER=embedded: with Cloudflare there is no edge of ours, and Cloudflare has the certificates.',
    );
  if (!outside.ACME_EAB_KEY_ID !== !outside.ACME_EAB_KEY)
    throw new CliError('ACME_EAB_KEY_ID and ACME_EAB_KEY belong together: set both or neither.');
  if (outside.ACME_CLOUDFLARE_TOKEN && outside.ACME_RFC2136_URL)
    throw new CliError('Set ACME_CLOUDFLARE_TOKEN or ACME_RFC2136_URL, not both.');
}

/** Names that nobody reads, and that were probably meant to be a setting. */
export const slipsIn = (outside: NodeJS.ProcessEnv) =>
  nearNames(Object.keys(outside), [
    ...Object.keys(knownSettings),
    ...['TALPA_HOME', 'TALPA_ADMIN_PASSWORD', 'SETTINGS_FOLDER'],
  ]);

/** What is said of them at the start: the same as the doctor says. */
export const nearNameWarnings = (outside: NodeJS.ProcessEnv): string[] =>
  slipsIn(outside).map((params) => {
    const { text, advice } = doctorWords({ says: 'settings_near', params }, 'en');
    return `${text} ${advice}`;
  });

/** What is said of settings is all a person needs. */
function plainly<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : String(error));
  }
}
