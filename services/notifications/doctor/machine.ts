import { existsSync } from 'node:fs';
import type { DoctorFinding } from '@talpa/contracts';
import { clockBehind } from '@talpa/service-kit/clock';
import { freeBytesOf } from '@talpa/service-kit/disk';
import { found, type Patient, patienceMs, reasonOf } from './finding.ts';

/** Authorities and authenticator apps forgive about so much. */
const toleratedMs = 30_000;
const synchronized = '/run/systemd/timesync/synchronized';

/** The clock against a server that is called anyway, or against what systemd says of it. */
export async function checkClock({ clock }: Pick<Patient, 'clock'>): Promise<DoctorFinding> {
  const installed = clockBehind();
  if (installed)
    return found('clock', 'clock_behind', {
      time: new Date().toISOString(),
      installed: installed.toISOString(),
    });
  if (clock !== null) return compareClock(clock);
  return found('clock', existsSync(synchronized) ? 'clock_synchronized' : 'clock_unknown');
}

async function compareClock(url: string): Promise<DoctorFinding> {
  const { host } = new URL(url);
  try {
    const began = Date.now();
    const response = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(patienceMs) });
    const theirs = Date.parse(response.headers.get('date') ?? '');
    const offMs = Math.max(0, Math.abs(began - theirs) - 1_000 - (Date.now() - began));
    if (Number.isNaN(theirs)) return found('clock', 'clock_silent', { host, reason: 'Date: –' });
    if (offMs < toleratedMs) return found('clock', 'clock_agrees', { host });
    return found('clock', 'clock_differs', { host, seconds: Math.round(offMs / 1_000) });
  } catch (error) {
    return found('clock', 'clock_silent', { host, reason: reasonOf(error) });
  }
}

/** Whether the stores have room. */
export const checkDisk = ({
  diskFolders,
  settings,
}: Pick<Patient, 'diskFolders' | 'settings'>): Promise<DoctorFinding[]> =>
  Promise.all(
    diskFolders.map(async (folder) => {
      const bytes = await freeBytesOf(folder);
      if (bytes === null) return found('disk', 'disk_unknown', { folder });
      const says = bytes < settings.DISK_RESERVE ? 'disk_short' : 'disk_roomy';
      return found('disk', says, { folder, free: Math.floor(bytes / 1_000_000) });
    }),
  );
