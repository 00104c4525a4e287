import { languages, type PanelConfig, tunnelProviders } from '@talpa/contracts';
import { passkeyHost } from '@talpa/contracts/passkey-host';
import type { SettingName, Settings } from '@talpa/service-kit/settings';
import packageJson from './package.json' with { type: 'json' };

export const settingNames = [
  'NATS_URL',
  'REDIS_URL',
  'SESSION_PUBLIC_KEYS',
  'HOST',
  'PORT',
  'TRUST_PROXY',
  'PUBLIC_URL',
  'PANEL_SHELL',
  'PANEL_USER',
  'PANEL_ADMIN',
  'TUNNEL_DOMAIN',
  'TUNNEL_PROVIDER',
  'EDGE_ADDRESS',
  'EDGE_TCP_PORTS',
  'EDGE_CA_FILE',
  'CONNECTOR_MIRROR',
  'REQUEST_LIMIT_PER_MINUTE',
  'MUTATION_LIMIT_PER_MINUTE',
  'SIGN_IN_LIMIT_PER_MINUTE',
  'SIGN_IN_NAME_LIMIT_PER_MINUTE',
  'REGISTER_LIMIT_PER_MINUTE',
  'PASSWORD_RESET_LIMIT_PER_HOUR',
  'REGISTRATION',
  'PLAN_CHANGES',
  'EMAIL_REQUIRED',
  'MAIL_FROM',
  'SECOND_FACTOR',
  'SUBDOMAIN_CHECK_LIMIT_PER_MINUTE',
  'ADDRESS_CONNECTION_LIMIT',
  'CONNECTION_LIMIT',
  'LIVE_USER_STREAM_LIMIT',
  'LIVE_STREAM_LIMIT',
  'LOG_SAMPLE',
  'TUNNEL_TOKEN_LIMIT_PER_MINUTE',
  'TUNNEL_STATUS_LIMIT_PER_MINUTE',
  'PROXY_HEALTH_LIMIT_PER_MINUTE',
  'MEMBER_INVITATION_LIMIT_PER_HOUR',
  'RECREATE_LIMIT_PER_MINUTE',
  'REQUEST_LOG_DAYS',
  'SHOW_TOTALS',
  'IMPRINT_URL',
  'PRIVACY_URL',
  'TERMS_URL',
  'SUPPORT_URL',
] as const satisfies readonly SettingName[];

type PanelSettings = Settings<
  | 'PUBLIC_URL'
  | 'TUNNEL_DOMAIN'
  | 'TUNNEL_PROVIDER'
  | 'EDGE_ADDRESS'
  | 'EDGE_TCP_PORTS'
  | 'REQUEST_LOG_DAYS'
  | 'SHOW_TOTALS'
  | 'REGISTRATION'
  | 'PLAN_CHANGES'
  | 'EMAIL_REQUIRED'
  | 'MAIL_FROM'
  | 'SECOND_FACTOR'
  | 'IMPRINT_URL'
  | 'PRIVACY_URL'
  | 'TERMS_URL'
  | 'SUPPORT_URL'
>;

/** What the panel must know before its first call, from the settings and whether traces are made. */
export function panelConfigOf(settings: PanelSettings, tracing: boolean): PanelConfig {
  const links = {
    imprint: settings.IMPRINT_URL,
    privacy: settings.PRIVACY_URL,
    terms: settings.TERMS_URL,
    support: settings.SUPPORT_URL,
  };
  const can = tunnelProviders[settings.TUNNEL_PROVIDER];
  return {
    version: packageJson.version,
    tunnelDomain: settings.TUNNEL_DOMAIN,
    tunnelProvider: settings.TUNNEL_PROVIDER,
    edge: can.runsHere && settings.EDGE_ADDRESS ? { address: settings.EDGE_ADDRESS } : null,
    gamePorts: can.gamePorts && settings.EDGE_TCP_PORTS !== null,
    protectedProxies: can.accessPolicies && settings.PUBLIC_URL !== undefined,
    requestLogDays: can.requestLog ? settings.REQUEST_LOG_DAYS : 0,
    showTotals: settings.SHOW_TOTALS,
    defaultLanguage: languages[0],
    registration: settings.REGISTRATION,
    planChanges: settings.PLAN_CHANGES,
    emailRequired: settings.EMAIL_REQUIRED,
    sendsEmail: settings.MAIL_FROM !== undefined,
    secondFactor: settings.SECOND_FACTOR,
    passkeyHost: passkeyHost(settings.PUBLIC_URL),
    ...(tracing ? { tracing } : {}),
    links: Object.fromEntries(Object.entries(links).filter(([, url]) => url !== undefined)),
  };
}
