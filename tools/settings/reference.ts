import { descriptionOf, isSecret, knownSettings, type SettingName } from '@talpa/service-kit/settings';
import { processSettings } from './process-settings.ts';

const opening = `# Settings

This page is generated from \`packages/service-kit/settings.ts\` and \`edge-settings.ts\`; a test compares them, and
\`npm test -- tools/settings/reference.test.ts -u\` regenerates it. Set settings in \`.env\` ([Compose](install-compose.md)), in
\`settings.env\` ([cluster](install-kubernetes.md)) or in the environment of \`npm start\` ([service](install-npm.md)). Secrets are files
named after their setting, never lines in those files. A process refuses to start with an invalid value and names it. Settings
that share a description have it in the first row.
`;

/** docs/settings.md: every setting with its default, who reads it, and what it is. */
export function settingsReference(): string {
  const rows = (Object.keys(knownSettings) as SettingName[]).map(
    (name) =>
      `| \`${name}\` | ${defaultOf(name)} | ${readersOf(name)} | ${descriptionOf(name).replaceAll('|', '\\|')} |`,
  );
  return [opening, '| setting | default | read by | what it is |', '|---|---|---|---|', ...rows, ''].join(
    '\n',
  );
}

function defaultOf(name: SettingName): string {
  const schema = knownSettings[name];
  const { success, data } = schema.safeParse(undefined);
  const secret = isSecret(name) ? 'secret' : '';
  if (!success) return secret || 'must be given';
  if (data === undefined) return secret || 'none';
  return data === '' ? 'empty' : `\`${data}\``;
}

/** Of settings that no process reads. */
const otherReaders: Partial<Record<SettingName, string>> = {
  STREAM_REPLICAS: 'the set-up',
  EDGE_PROCESSES: '`npm start`',
  PROCESSES: '`npm start`',
};

function readersOf(name: SettingName): string {
  const readers = Object.entries(processSettings).flatMap(([process, names]) =>
    names.includes(name) ? [process] : [],
  );
  return readers.length > 0 ? readers.join(', ') : (otherReaders[name] ?? 'all');
}
