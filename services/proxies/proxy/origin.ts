import { type DesiredTunnel, originDefaults, type ProxyEntry } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { EntryColumns } from './entries.ts';

type Origin = Pick<NonNullable<DesiredTunnel['want']>, 'origin' | 'originOptions'>;

const httpsOnly = ['verifyCertificate', 'originServerName', 'http2Origin'] as const satisfies ProxyEntry[];
const optional = [...httpsOnly, 'httpHostHeader'] as const satisfies ProxyEntry[];

/** Where the connector finds the admin panel, and how it speaks to it where that is not as usual. */
export function originOf(row: EntryColumns): Origin {
  const { originProtocol, serverIp, adminPort } = row;
  const origin = `${originProtocol}://${serverIp.includes(':') ? `[${serverIp}]` : serverIp}:${adminPort}`;
  const chosen = optional.filter((entry) => isChosen(row, entry)).map((entry) => [entry, row[entry]]);
  // What earlier versions have stored as applied names no options: without any it stays equal.
  return { origin, ...(chosen.length > 0 && { originOptions: Object.fromEntries(chosen) }) };
}

/** Refuses for a panel that speaks http what only https has. @throws AppError `invalid_input` on each of it */
export function refuseHttpsOnly(
  row: Pick<EntryColumns, 'originProtocol' | (typeof httpsOnly)[number]>,
): void {
  if (row.originProtocol === 'https') return;
  const wrong = httpsOnly.filter((entry) => isChosen(row, entry));
  const issues = wrong.map((entry) => ({ path: [entry], key: 'httpsOnly' as const }));
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
}

const isChosen = <Entry extends keyof typeof originDefaults>(
  row: Pick<EntryColumns, Entry>,
  entry: Entry,
): boolean => row[entry] !== originDefaults[entry];
