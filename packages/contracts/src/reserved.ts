/**
 * Names nobody may take, because they belong to the operator or would mislead people: `name`; `name-*`, which is that
 * name and whatever begins with it and a hyphen; `*name*`, which is whatever has it between hyphens. Those with a `*` are reserved with a
 * number at their end, too (`admin2`).
 */
export type ReservedPattern = string;

export const reservedPattern = /^(\*[a-z0-9-]+\*|[a-z0-9-]+?(-\*)?)$/;

/** Subdomains for the operator, and such as a visitor would take for somebody's sign-in page or a bank's. */
// biome-ignore format: the formatter would put each name on a line of its own, more lines than a screen holds
export const reservedLabels: readonly ReservedPattern[] = [
  'abuse', 'admin', 'administration', 'administrator', 'api', 'app', 'assets', 'autoconfig', 'autodiscover', 'blog',
  'cdn', 'cloud', 'connect', 'connector', 'console', 'dashboard', 'dev', 'dns', 'docs', 'edge', 'email', 'ftp',
  'gateway', 'help', 'hilfe', 'host', 'hostmaster', 'imap', 'impressum', 'info', 'internal', 'isatap', 'localhost', 'mail', 'mta-sts', 'mx',
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

/** One way to write what looks alike: letters for digits, and `i` for `l`. */
const alike = '0→o 1→i 2→z 3→e 4→a 5→s 6→g 7→t 8→b 9→g l→i rn→m'.split(' ');
/** Two letters for one: of a word without doubled ones, which would be taken for such. */
const wide = 'w→vv d→ci'.split(' ');
/** Shorter words are others without their doubled letters: `root` is not `rot`. */
const shortestUndoubled = 4;

/** What a reader takes a word for. */
function readingOf(word: string): string {
  const narrow = undoubled(replaced(word, alike));
  return undoubled(replaced(narrow, wide));
}

const replaced = (word: string, list: readonly string[]) =>
  list.reduce((text, one) => text.replaceAll(one.split('→')[0] ?? '', one.split('→')[1] ?? ''), word);

/** Without doubled letters, and pairs of letters, because two may look like one. */
function undoubled(word: string): string {
  const single = word.replace(/(.{1,2}?)\1+/g, '$1');
  return single.length < shortestUndoubled ? word : single;
}

/**
 * Whether a name of lower-case parts with hyphens between them is reserved, or would be read as one that is.
 * @param skeletonOf what a name looks like: whatever looks like a reserved one is reserved too.
 */
export function createReserved(
  patterns: readonly ReservedPattern[],
  skeletonOf: (name: string) => string,
): (name: string) => boolean {
  const exact = new Set<string>();
  const beginnings = new Set<string>();
  const inside = new Set<string>();
  const partsOf = (name: string) => skeletonOf(name).split('-');
  for (const pattern of patterns) {
    const reading = readingOf(partsOf(pattern.replace(/^\*|-?\*$/g, '')).join(''));
    exact.add(reading);
    if (pattern.startsWith('*')) inside.add(reading);
    else if (pattern.endsWith('-*')) beginnings.add(reading);
  }
  const isOneOf = (name: string, whole: ReadonlySet<string>) => {
    const parts = partsOf(name);
    for (let from = 0; from < parts.length; from += 1)
      for (let to = from + 1; to <= parts.length; to += 1) {
        const reading = readingOf(parts.slice(from, to).join(''));
        const isWhole = to - from === parts.length;
        if (inside.has(reading) || (from === 0 && beginnings.has(reading)) || (isWhole && whole.has(reading)))
          return true;
      }
    return false;
  };
  return (name) => isOneOf(name, exact) || isOneOf(name.replace(/\p{N}+$/u, ''), new Set());
}
