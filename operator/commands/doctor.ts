import { withPublicDefaults } from '@talpa/instance/public.mjs';
import { diskFoldersOf } from '../../launcher/disk-space.ts';
import type { Finding } from '../doctor/finding.ts';
import { checkInstance, checkMail } from '../doctor/instance.ts';
import { checkClock, checkDisk } from '../doctor/machine.ts';
import { checkNetwork } from '../doctor/network.ts';
import { checkSettings } from '../doctor/settings.ts';
import { command } from './command.ts';

const signs = { ok: '✓', warning: '!', problem: '✗', unknown: '?' } as const;

/** Looks at everything an installation needs, changes nothing, and says of each what is missing. */
export const doctor = command({
  usage: 'doctor',
  summary: 'check settings, DNS, ports, certificates, mail, clock, disk, stores, and backups',
  run: async ({ instance, log }) => {
    const outside = withPublicDefaults(process.env);
    const settings = checkSettings(outside);
    const canBeRead = settings.every(({ state }) => state !== 'problem');
    // What has no value that fits cannot be looked at.
    const others: (Finding | Finding[])[] = canBeRead
      ? await Promise.all([
          checkNetwork(outside),
          checkMail(outside),
          checkClock(outside),
          checkDisk(diskFoldersOf(instance.folders, outside), outside),
          checkInstance(instance),
        ])
      : [];
    const found = [...Map.groupBy([settings, ...others].flat(), ({ check }) => check).values()].flat();
    const width = Math.max(...found.map(({ check }) => check.length));
    for (const { check, state, text } of found) log(`${signs[state]} ${check.padEnd(width)}  ${text}`);
    const count = (wanted: Finding['state']) => found.filter(({ state }) => state === wanted).length;
    log(`\n${count('problem')} to repair, ${count('warning')} to think about.`);
    if (count('problem') > 0) process.exitCode = 1;
  },
});
