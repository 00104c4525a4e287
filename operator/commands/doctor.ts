import { type DoctorFinding, doctorChecks, doctorWords } from '@talpa/contracts';
import { startCall, talpaCall } from '@talpa/instance/command-names';
import { withPublicDefaults } from '@talpa/instance/public.mjs';
import { examine } from '../../services/notifications/doctor/examine.ts';
import { found, type Patient, reasonOf } from '../../services/notifications/doctor/finding.ts';
import { checkMail, checkStores } from '../../services/notifications/doctor/instance.ts';
import { checkClock, checkDisk } from '../../services/notifications/doctor/machine.ts';
import { patientOf } from '../doctor/patient.ts';
import { checkSettings } from '../doctor/settings.ts';
import type { Instance } from '../instance.ts';
import { command } from './command.ts';

const signs = { ok: '✓', warning: '!', failed: '✗', unknown: '?' } as const;
const width = Math.max(...Object.values(doctorChecks).map(({ en }) => en.length));

/** Looks at everything an installation needs, changes nothing, and says of each what is missing. */
export const doctor = command({
  usage: 'doctor',
  summary: 'check settings, DNS, ports, certificates, mail, clock, disk, stores, and backups',
  run: async ({ instance, log }) => {
    const outside = withPublicDefaults(process.env);
    const settings = checkSettings(outside);
    const canBeRead = settings.every(({ state }) => state !== 'failed');
    // What has no value that fits cannot be looked at.
    const findings = [...settings, ...(canBeRead ? await examineFrom(instance, outside) : [])];
    for (const check of Object.keys(doctorChecks))
      for (const one of findings) if (one.check === check) log(lineOf(one));
    const count = (wanted: DoctorFinding['state']) => findings.filter(({ state }) => state === wanted).length;
    log(`\n${count('failed')} to repair, ${count('warning')} to think about.`);
    if (count('failed') > 0) process.exitCode = 1;
  },
});

/** A container of the operator has no way outside, and of the settings only its own: there the service looks. */
async function examineFrom(instance: Instance, outside: NodeJS.ProcessEnv): Promise<DoctorFinding[]> {
  const patient = patientOf(instance, outside);
  if (!patient.isContainer && !outside.NATS_URL && !instance.isRunning())
    return examineStopped(patient, instance);
  if (!patient.isContainer) return examine(patient);
  try {
    return (await patient.ask('notifications.readDoctor', {})).findings;
  } catch (error) {
    const away = found('reach', 'not_told', { service: 'notifications', reason: reasonOf(error) });
    return [away, ...(await checkStores(patient))];
  }
}

/** All else would be found missing for this one reason. */
async function examineStopped(patient: Patient, { folders }: Instance): Promise<DoctorFinding[]> {
  const stopped = found('stores', 'not_running', { folder: folders.home, start: startCall });
  return [
    stopped,
    ...(await Promise.all([checkMail, checkClock, checkDisk].map((check) => check(patient)))).flat(),
  ];
}

function lineOf(finding: DoctorFinding): string {
  const { text, advice, document } = doctorWords(finding, 'en', talpaCall);
  const label = doctorChecks[finding.check].en.padEnd(width);
  const what = [text, advice, document && `(${document})`].filter(Boolean).join(' ');
  return `${signs[finding.state]} ${label}  ${what}`;
}
