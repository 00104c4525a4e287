import { z } from 'zod';
import { mostAccessRules, mostListedEmails } from './access-limits.ts';
import { errors } from './errors.ts';
import { fill, type Language, type Text, type TextParams } from './language.ts';

/** What can be wrong with one field. Schemas use the key as zod's message; people read the text. */
export const issueTexts = {
  required: { de: 'Dieses Feld ist erforderlich', en: 'This field is required' },
  invalid: { de: 'Dieser Wert ist ungültig', en: 'This value is invalid' },
  tooLong: { de: 'Höchstens {maximum} Zeichen', en: 'At most {maximum} characters' },
  tooMany: { de: 'Höchstens {maximum} Einträge', en: 'At most {maximum} entries' },
  tooHigh: { de: 'Höchstens {maximum}', en: 'At most {maximum}' },
  tooLow: { de: 'Mindestens {minimum}', en: 'At least {minimum}' },
  unknownField: { de: 'Dieses Feld gibt es hier nicht', en: 'There is no such field here' },
  readOnly: { de: 'Dieses Feld lässt sich hier nicht ändern', en: 'This field can’t be changed here' },
  controlCharacters: {
    de: 'Steuerzeichen sind hier nicht erlaubt',
    en: 'Control characters are not allowed here',
  },
  usernameTooShort: {
    de: 'Benutzername muss mindestens 3 Zeichen haben',
    en: 'Username must be at least 3 characters long',
  },
  usernameCharacters: {
    de: 'Nur Buchstaben, Ziffern, Punkt, Unterstrich und Bindestrich',
    en: 'Only letters, digits, periods, underscores, and hyphens',
  },
  passwordTooShort: {
    de: 'Passwort muss mindestens 6 Zeichen haben',
    en: 'Password must be at least 6 characters long',
  },
  passwordWrong: { de: 'Das Passwort ist falsch', en: 'The password is incorrect' },
  passwordsDiffer: { de: 'Passwörter stimmen nicht überein', en: 'Passwords do not match' },
  serverNameRequired: { de: 'Server-Name ist erforderlich', en: 'Server name is required' },
  serverIPRequired: { de: 'Server-IP ist erforderlich', en: 'Server IP is required' },
  serverIPInvalid: {
    de: 'Geben Sie eine IP-Adresse oder einen Hostnamen ohne http://, Port und Pfad ein',
    en: 'Enter an IP address or hostname without http://, port, or path',
  },
  originServerName: {
    de: 'Geben Sie einen Hostnamen ohne Port ein, zum Beispiel panel.example.com',
    en: 'Enter a hostname without a port, such as panel.example.com',
  },
  httpHostHeader: {
    de: 'Geben Sie einen Hostnamen oder eine IP-Adresse ohne http:// und Pfad ein, auf Wunsch mit Port',
    en: 'Enter a hostname or IP address without http:// or a path; a port is optional',
  },
  httpsOnly: { de: 'Das geht nur mit HTTPS', en: 'This requires HTTPS' },
  portRange: { de: 'Port muss zwischen 1 und 65535 liegen', en: 'Port must be between 1 and 65535' },
  subdomainEmpty: {
    de: 'Aus diesem Namen lässt sich keine Subdomain bilden. Bitte geben Sie eine eigene Subdomain ein.',
    en: 'This name can’t be turned into a subdomain. Please enter a custom subdomain.',
  },
  subdomainInvalid: {
    de: 'Geben Sie eine einzelne Subdomain ohne Punkt, http:// und Pfad ein',
    en: 'Enter a single subdomain without a period, http://, or path',
  },
  ownerInvited: {
    de: 'Der Proxy gehört diesem Benutzer bereits',
    en: 'This user already owns the proxy',
  },
  afterOwnEnd: {
    de: 'Ihre eigene Mitgliedschaft endet vorher. Wählen Sie einen früheren Zeitpunkt',
    en: 'Your own membership ends before that. Choose an earlier time',
  },
  customHost: {
    de: 'Geben Sie eine öffentliche Domain ohne http:// und Pfad ein, zum Beispiel panel.example.com',
    en: 'Enter a public domain without http:// or a path, such as panel.example.com',
  },
  customHostOwn: {
    de: 'Geben Sie eine Domain ein, die nicht zu diesem Panel gehört',
    en: 'Enter a domain that doesn’t belong to this panel',
  },
  subdomainTaken: { de: errors.subdomain_taken.de, en: errors.subdomain_taken.en },
  subdomainSimilar: { de: errors.subdomain_similar.de, en: errors.subdomain_similar.en },
  subdomainReserved: { de: errors.subdomain_reserved.de, en: errors.subdomain_reserved.en },
  network: {
    de: 'Geben Sie eine IP-Adresse oder ein Netz in der Form 203.0.113.0/24 ein',
    en: 'Enter an IP address or a network in the form 203.0.113.0/24',
  },
  address: { de: 'Geben Sie eine IP-Adresse ein', en: 'Enter an IP address' },
  pathPrefix: {
    de: 'Geben Sie einen Pfad ein, der mit / beginnt, zum Beispiel /admin',
    en: 'Enter a path that starts with /, such as /admin',
  },
  visitedPath: {
    de: 'Geben Sie einen Pfad ein, der mit / beginnt, zum Beispiel /admin',
    en: 'Enter a path that starts with /, such as /admin',
  },
  wallPin: { de: 'Geben Sie eine PIN aus 6 bis 12 Ziffern ein', en: 'Enter a PIN of 6 to 12 digits' },
  wallPassword: {
    de: 'Das Passwort muss mindestens 10 Zeichen lang sein',
    en: 'The password must be at least 10 characters',
  },
  methodRequired: { de: 'Wählen Sie mindestens eine Möglichkeit', en: 'Select at least one way' },
  wallEmails: { de: 'Geben Sie mindestens eine E-Mail-Adresse ein', en: 'Enter at least one email address' },
  emailsTooMany: {
    de: `Höchstens ${mostListedEmails} E-Mail-Adressen sind möglich`,
    en: `At most ${mostListedEmails} email addresses are possible`,
  },
  rulesTooMany: {
    de: `Höchstens ${mostAccessRules} Regeln sind möglich`,
    en: `At most ${mostAccessRules} rules are possible`,
  },
  scopeRequired: { de: 'Wählen Sie mindestens eine Berechtigung', en: 'Select at least one scope' },
  adminScope: {
    de: 'Diese Berechtigungen haben nur Administratoren',
    en: 'Only administrators have these scopes',
  },
  adminKeyProxies: {
    de: 'Ein Schlüssel mit Administrator-Berechtigungen kann nicht auf einzelne Proxys beschränkt werden',
    en: 'A key with administrator scopes can’t be limited to certain proxies',
  },
  foreignProxies: {
    de: 'Wählen Sie nur Proxys, die Ihnen gehören oder bei denen Sie Mitglied sind',
    en: 'Select only proxies that you own or are a member of',
  },
  wholeNumber: { de: 'Bitte geben Sie eine ganze Zahl ein', en: 'Please enter a whole number' },
  proxyLimitMinimum: {
    de: 'Proxy-Limit muss mindestens 0 sein',
    en: 'Proxy limit must be at least 0',
  },
  proxyLimitMaximum: {
    de: 'Proxy-Limit darf höchstens 10.000 sein',
    en: 'Proxy limit must be at most 10,000',
  },
  invitationCode: {
    de: 'Geben Sie den Code in der Form XXXX-XXXX-XXXX ein',
    en: 'Enter the code in the form XXXX-XXXX-XXXX',
  },
  appCode: {
    de: 'Geben Sie den sechsstelligen Code Ihrer Authenticator-App ein',
    en: 'Enter the six-digit code from your authenticator app',
  },
  recoveryCode: {
    de: 'Geben Sie den Code in der Form XXXX-XXXX-XXXX-XXXX ein',
    en: 'Enter the code in the form XXXX-XXXX-XXXX-XXXX',
  },
  factorCode: {
    de: 'Geben Sie den sechsstelligen Code der App oder einen Wiederherstellungscode ein',
    en: 'Enter the six-digit code from the app or a recovery code',
  },
  codeWrong: { de: 'Der Code ist falsch oder abgelaufen', en: 'The code is incorrect or has expired' },
  monthsRange: { de: 'Geben Sie 1 bis 36 Monate ein', en: 'Enter 1 to 36 months' },
  monthsWithoutPlan: {
    de: 'Eine Dauer gibt es nur für einen bezahlten Plan',
    en: 'Only a paid plan can have a duration',
  },
  usesRange: { de: 'Geben Sie 1 bis 1000 ein', en: 'Enter 1 to 1000' },
  inPast: { de: 'Wählen Sie einen Zeitpunkt in der Zukunft', en: 'Choose a time in the future' },
  endBeforeStart: { de: 'Wählen Sie ein Ende nach dem Beginn', en: 'Choose an end after the start' },
  channelUrl: {
    de: 'Geben Sie eine Adresse wie https://example.com/hook ohne Benutzernamen und Passwort ein',
    en: 'Enter an address such as https://example.com/hook without a user name and password',
  },
  discordUrl: {
    de: 'Geben Sie die Webhook-URL ein, die Discord anzeigt, zum Beispiel https://discord.com/api/webhooks/123/abc',
    en: 'Enter the webhook URL that Discord shows, such as https://discord.com/api/webhooks/123/abc',
  },
  ntfyTopic: {
    de: 'Verwenden Sie höchstens 64 Buchstaben, Ziffern, „-“ und „_“',
    en: 'Use at most 64 letters, digits, “-”, and “_”',
  },
  channelToken: {
    de: 'Geben Sie das Token ohne Leerzeichen ein',
    en: 'Enter the token without spaces',
  },
  telegramToken: {
    de: 'Geben Sie das Token in der Form 123456:ABC-DEF ein, wie BotFather es anzeigt',
    en: 'Enter the token in the form 123456:ABC-DEF, as BotFather shows it',
  },
  telegramChat: {
    de: 'Geben Sie eine Chat-ID wie -1001234567890 oder @kanalname ein',
    en: 'Enter a chat ID such as -1001234567890 or @channelname',
  },
  emailInvalid: { de: 'Geben Sie eine gültige E-Mail-Adresse ein', en: 'Enter a valid email address' },
} as const satisfies Record<string, Text>;

export type IssueKey = keyof typeof issueTexts;

/** One faulty field: its path and what is wrong with it. Texts are made where the language is known. */
export const issueSchema = z.object({
  path: z.array(z.union([z.string(), z.number()])),
  key: z.custom<IssueKey>((key) => typeof key === 'string' && Object.hasOwn(issueTexts, key)),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
export type Issue = z.infer<typeof issueSchema>;

/** The text of a faulty field for people. */
export function issueText(key: IssueKey, language: Language, params?: TextParams): string {
  return fill(issueTexts[key][language], params);
}

/**
 * All faulty fields zod found, each with the first thing that is wrong with it; messages that are no keys of ours
 * become `required` or `invalid`. Parse with `reportInput`, or a wrong value looks like a missing one.
 */
export function issuesOf(error: z.ZodError): Issue[] {
  const byPath = new Map<string, Issue>();
  for (const found of error.issues) {
    const issue = issueOf(found);
    const path = JSON.stringify(issue.path);
    if (!byPath.has(path)) byPath.set(path, issue);
  }
  return [...byPath.values()];
}

function issueOf(issue: z.core.$ZodIssue): Issue {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (Object.hasOwn(issueTexts, issue.message)) return { path, key: issue.message as IssueKey };
  if (issue.code === 'too_big' && (issue.origin === 'string' || issue.origin === 'array')) {
    const key = issue.origin === 'string' ? 'tooLong' : 'tooMany';
    return { path, key, params: { maximum: Number(issue.maximum) } };
  }
  // What excludes its bound is an id: that it is positive helps nobody.
  if (issue.code === 'too_big' && issue.origin === 'number' && issue.inclusive)
    return { path, key: 'tooHigh', params: { maximum: Number(issue.maximum) } };
  if (issue.code === 'too_small' && issue.origin === 'number' && issue.inclusive)
    return { path, key: 'tooLow', params: { minimum: Number(issue.minimum) } };
  return { path, key: issue.input === undefined ? 'required' : 'invalid' };
}
