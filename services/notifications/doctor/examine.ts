import type { DoctorFinding } from '@talpa/contracts';
import type { Patient } from './finding.ts';
import { checkBackup, checkIssued, checkJobs, checkMail, checkStores } from './instance.ts';
import { checkClock, checkDisk } from './machine.ts';
import { checkNetwork } from './network.ts';

const checks: readonly ((patient: Patient) => Promise<DoctorFinding | DoctorFinding[]>)[] = [
  ...[checkNetwork, checkIssued, checkMail, checkClock, checkDisk],
  ...[checkStores, checkJobs, checkBackup],
];

/** Looks at all that an installation needs beside right settings, at the same time, and changes nothing. */
export async function examine(patient: Patient): Promise<DoctorFinding[]> {
  const all = await Promise.all(checks.map((check) => check(patient)));
  return all.flat();
}
