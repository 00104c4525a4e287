import { existsSync } from 'node:fs';
import { tunnelProviders } from '@talpa/contracts';
import { freeBytesOf } from '@talpa/service-kit/disk';
import { readSettings } from '@talpa/service-kit/settings';
import { megabytes } from '../../launcher/disk-space.ts';
import { clockFault } from '../../launcher/machine.ts';
import { type Finding, findingsOf, patienceMs, reasonOf } from './finding.ts';

const clock = findingsOf('clock');
const disk = findingsOf('disk');
/** Authorities and authenticator apps forgive about so much. */
const toleratedMs = 30_000;
const synchronized = '/run/systemd/timesync/synchronized';

/** The clock against a server that is asked anyway, or against what systemd says of it. */
export async function checkClock(outside: NodeJS.ProcessEnv): Promise<Finding> {
  const fault = clockFault();
  if (fault) return clock.problem(fault);
  const { TUNNEL_PROVIDER } = readSettings(['TUNNEL_PROVIDER'], outside);
  if (outside.ACME_EMAIL) return compareClock(readSettings(['ACME_DIRECTORY'], outside).ACME_DIRECTORY);
  if (!tunnelProviders[TUNNEL_PROVIDER].runsHere)
    return compareClock(readSettings(['CLOUDFLARE_BASE_URL'], outside).CLOUDFLARE_BASE_URL);
  if (existsSync(synchronized)) return clock.ok('It is synchronized (systemd-timesyncd).');
  return clock.unknown('No server was asked for the time. Make sure that the clock is synchronized (NTP).');
}

async function compareClock(url: string): Promise<Finding> {
  try {
    const began = Date.now();
    const response = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(patienceMs) });
    const theirs = Date.parse(response.headers.get('date') ?? '');
    const offMs = Math.max(0, Math.abs(began - theirs) - 1_000 - (Date.now() - began));
    const { host } = new URL(url);
    if (Number.isNaN(theirs)) return clock.unknown(`${host} does not say what time it is.`);
    if (offMs < toleratedMs) return clock.ok(`It agrees with ${host}.`);
    return clock.problem(
      `It differs from ${host} by ${Math.round(offMs / 1_000)} s: certificates and codes of apps will be refused. Set the clock.`,
    );
  } catch (error) {
    return clock.unknown(
      `No time to compare with: ${new URL(url).host} does not answer (${reasonOf(error)}).`,
    );
  }
}

/** @param folders where the stores keep their data */
export async function checkDisk(folders: readonly string[], outside: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { DISK_RESERVE, DISK_FOLDERS } = readSettings(['DISK_RESERVE', 'DISK_FOLDERS'], outside);
  const looked = DISK_FOLDERS?.split(',') ?? folders;
  return Promise.all(
    looked.map(async (folder) => {
      const free = await freeBytesOf(folder);
      if (free === null) return disk.unknown(`The free space of ${folder} is unknown.`);
      const text = `${megabytes(free)} are free at ${folder}`;
      return free < DISK_RESERVE
        ? disk.problem(`${text}, less than DISK_RESERVE: no proxies and accounts are created. Free up space.`)
        : disk.ok(`${text}.`);
    }),
  );
}
