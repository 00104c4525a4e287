import { setTimeout as pause } from 'node:timers/promises';
import {
  type DoctorFinding,
  type InternalCalls,
  type SetUpStep,
  type SetUpStepName,
  setUpStepNames,
  setUpSteps,
  type Verb,
} from '@talpa/contracts';
import type { NotificationsContext } from '../context.ts';
import { keptMs } from './run.ts';

/** The dashboard waits for it: a server that does not answer is told of the next time. */
const patienceMs = 1_000;

/** Whether there is a mail server, and what of the first day's steps does not work. */
export const readSetUp: Verb<InternalCalls['notifications.readSetUp'], NotificationsContext> = async ({
  smtp,
  doctor,
}) => {
  const look = doctor.look(keptMs).catch(() => {});
  await Promise.race([look, pause(patienceMs, undefined, { ref: false })]);
  return { hasMail: smtp !== null, failing: failingSteps(doctor.lastReport()?.findings) };
};

const failingSteps = (findings?: readonly DoctorFinding[]): SetUpStepName[] | null =>
  findings
    ? setUpStepNames.filter((step) => {
        const { failsWith, host }: SetUpStep = setUpSteps[step];
        return findings.some(
          ({ says, params }) =>
            failsWith.includes(says) && (params.what === undefined || params.what === host),
        );
      })
    : null;
