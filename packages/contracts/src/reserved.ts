/**
 * Names nobody may take, because they belong to the operator or would mislead people: `name`; `name-*`, which is that
 * name and whatever begins with it and a hyphen; `*name*`, which is whatever has it between hyphens.
 */
export type ReservedPattern = string;

export const reservedPattern = /^(\*[a-z0-9-]+\*|[a-z0-9-]+?(-\*)?)$/;

/** Subdomains for the operator, and such as a visitor would take for somebody's sign-in page or a bank's. */
// biome-ignore format: the formatter would put each name on a line of its own, more lines than a screen holds
export const reservedLabels: readonly ReservedPattern[] = [
  'abuse', 'admin', 'administration', 'administrator', 'api', 'app', 'assets', 'autoconfig', 'autodiscover', 'blog',
  'cdn', 'cloud', 'connect', 'connector', 'console', 'dashboard', 'dev', 'dns', 'docs', 'edge', 'email', 'ftp',
  'gateway', 'help', 'hilfe', 'host', 'hostmaster', 'imap', 'impressum', 'info', 'internal', 'localhost', 'mail', 'mx',
  'news', 'noc', 'ns', 'ns1', 'ns2', 'panel', 'pop', 'pop3', 'postmaster', 'proxy', 'root', 'shop', 'smtp', 'staging',
  'static', 'stats', 'status', 'system', 'test', 'tunnel', 'update', 'webmaster', 'wpad', 'www',
  // Signing in, paying, proving who one is.
  '*login*', '*logon*', '*signin*', 'sign-in-*', 'log-in-*', '*signup*', 'sign-up-*', '*anmelden*', '*anmeldung*',
  '*einloggen*', 'register-*', 'registrieren-*', '*passwort*', '*password*', '*kennwort*', 'account-*', 'accounts-*',
  'konto-*', 'kundenkonto-*', 'mein-konto-*', 'meinkonto-*', 'my-account-*', 'auth-*', 'oauth-*', 'sso-*', 'secure-*',
  'security-*', 'sicherheit-*', '*verify*', '*verification*', '*verifizierung*', '*verifizieren*', 'bestaetigen-*',
  'billing-*', 'payment-*', 'payments-*', 'pay-*', 'zahlung-*', 'bezahlen-*', 'rechnung-*', 'support-*', 'helpdesk-*',
  'kundenservice-*', 'kundendienst-*', 'webmail-*', 'wallet-*', '*banking*', '*onlinebanking*',
  // Whose visitors are worth deceiving.
  '*talpa*', '*paypal*', '*klarna*', '*sparkasse*', '*volksbank*', '*raiffeisenbank*', '*postbank*', '*commerzbank*',
  '*deutsche-bank*', '*deutschebank*', '*comdirect*', '*mastercard*', '*americanexpress*', '*bundesbank*',
  '*finanzamt*', 'elster-*', '*amazon*', '*ebay*', '*kleinanzeigen*', '*icloud*', '*appleid*', 'apple-id-*',
  '*google*', '*gmail*', '*microsoft*', '*office365*', '*onedrive*', '*outlook*', '*facebook*', '*instagram*',
  '*whatsapp*', '*netflix*', '*spotify*', '*telekom*', '*vodafone*', '*dhl*', '*coinbase*', '*binance*', '*metamask*',
  '*steamcommunity*', '*steampowered*', '*steamguard*', '*epicgames*', '*rockstargames*',
];

/** User names that others would take for the operator's. Administrators may still give them. */
// biome-ignore format: the formatter would put each name on a line of its own, more lines than a screen holds
export const reservedUsernames: readonly ReservedPattern[] = [
  '*talpa*', 'abuse', 'admin-*', 'admins', 'administration', 'administrator-*', 'administratoren', 'administrators',
  'anonymous', 'api', 'betreiber', 'billing', 'everyone', 'helpdesk', 'help', 'hilfe', 'hostmaster', 'info',
  'kundendienst', 'kundenservice', 'moderator-*', 'moderatoren', 'moderators', 'no-reply', 'null', 'official',
  'offiziell', 'operator', 'owner', 'postmaster', 'root', 'security', 'service', 'sicherheit', 'staff', 'support-*',
  'superuser', 'sysadmin', 'system', 'team', 'undefined', 'webmaster',
];

/**
 * Whether a name of lower-case parts with hyphens between them is reserved. Hyphens alone make none free.
 * @param skeletonOf what a name looks like: whatever looks like a reserved one is reserved too.
 */
export function createReserved(
  patterns: readonly ReservedPattern[],
  skeletonOf: (name: string) => string,
): (name: string) => boolean {
  const exact = new Set<string>();
  const beginnings: string[] = [];
  const parts: string[] = [];
  for (const pattern of patterns) {
    const name = skeletonOf(pattern.replace(/^\*|-?\*$/g, ''));
    exact.add(name).add(joined(name));
    if (pattern.startsWith('*')) parts.push(`-${name}-`);
    else if (pattern.endsWith('-*')) beginnings.push(`${name}-`);
  }
  return (name) => {
    const skeleton = skeletonOf(name);
    const fenced = `-${skeleton}-`;
    return (
      exact.has(skeleton) ||
      exact.has(joined(skeleton)) ||
      beginnings.some((beginning) => skeleton.startsWith(beginning)) ||
      parts.some((part) => fenced.includes(part))
    );
  };
}

const joined = (name: string) => name.replaceAll('-', '');
