import { descriptionOf, isSecret, knownSettings, type SettingName } from '@talpa/service-kit/settings';
import { defaultTunnelDomain } from '@talpa/service-kit/settings/edge-address';

const opening = `# Settings

This page is generated from \`packages/service-kit/settings.ts\` and \`settings/\`; a test compares them, and
\`npm test -- tools/settings/reference.test.ts -u\` regenerates it. [install.md](install.md) and
[install-kubernetes.md](install-kubernetes.md) say where to write settings. A process refuses to start with an invalid value and names it.

A setting is shown with its default. Settings in one line have their meanings in the same order. \`_MS\` is in milliseconds. Those marked
“secret” are files named after the setting, except with \`npm start\`. What has no default and must be there, the launcher sets.
`;

/** What a public installation needs, in the order in which an operator meets it. */
const publicSettings: readonly SettingName[] = [
  'PUBLIC_URL',
  'TUNNEL_DOMAIN',
  'ACME_EMAIL',
  'REGISTRATION',
  'PLAN_CHANGES',
  'SMTP_URL',
  'MAIL_FROM',
  'IMPRINT_URL',
  'PRIVACY_URL',
];

/** Each section, by the first of its settings. */
const sections: Partial<Record<SettingName, string>> = {
  SETTINGS_FOLDER: 'Processes and stores',
  HOST: 'The panel and its keys',
  TUNNEL_PUBLIC_PORT: 'Subdomains and certificates',
  EDGE_HOST: 'The edge: visitors',
  EDGE_TCP_PORTS: 'The edge: game ports',
  EDGE_CONNECTOR_HOST: 'The edge: connectors and other edges',
  RESERVED_NAMES: 'Accounts and limits',
  TUNNEL_PROVIDER: 'The tunnel provider and custom domains',
  MAIL_REPLY_TO: 'Messages, figures, footer',
};

/** What the launcher and the operator's commands read themselves, and no process. */
const launcherLines = [
  '- `TALPA_HOME=.talpa`: The folder of an instance of `npm start`. A second one needs its own, and its own PORT.',
  "- `TALPA_ADMIN_PASSWORD`: The first administrator's password; generated when left out.",
  '- `TALPA_BACKUP_PASSPHRASE`: Encrypts the keys in a backup; at least 12 characters.',
];

/** docs/settings.md: every setting with its default and what it is; first what a public installation needs. */
export function settingsReference(): string {
  const others = (Object.keys(knownSettings) as SettingName[]).filter(
    (name) => !publicSettings.includes(name),
  );
  const titled = Object.entries(sections).map(([first, title]) => {
    return { title, start: others.indexOf(first as SettingName) };
  });
  return [
    opening,
    ...section('What a public installation needs', linesOf(publicSettings)),
    ...titled.flatMap(({ title, start }, at) => {
      const lines = linesOf(others.slice(start, titled[at + 1]?.start));
      return section(title, at === 0 ? [...launcherLines, ...lines] : lines);
    }),
  ].join('\n');
}

const section = (title: string, lines: readonly string[]): string[] => [`## ${title}`, '', ...lines, ''];

/** A line for each description: a setting without one is in the line of the setting above it. */
function linesOf(names: readonly SettingName[]): string[] {
  const groups: SettingName[][] = [];
  for (const name of names) {
    if (descriptionOf(name) === '') groups.at(-1)?.push(name);
    else groups.push([name]);
  }
  return groups.map(
    (group) => `- ${group.map(withDefault).join(', ')}: ${group.map(descriptionOf).join('')}`,
  );
}

function withDefault(name: SettingName): string {
  if (name === 'TUNNEL_DOMAIN') return `\`${name}=${defaultTunnelDomain}\``;
  if (isSecret(name)) return `\`${name}\` (secret)`;
  const { data } = knownSettings[name].safeParse(undefined);
  const value = String(data ?? '');
  return value === '' ? `\`${name}\`` : `\`${name}=${value}\``;
}
