import { z } from 'zod';
import { totals } from './entities.ts';
import { type SetUpStepName, setUpSteps } from './set-up-steps.ts';

export const setUpStepNames = Object.keys(setUpSteps) as [SetUpStepName, ...SetUpStepName[]];

/** What a service has checked of the installation; never a secret. */
export const systemCheck = z
  .object({
    check: z.enum(setUpStepNames),
    /** `failing`: it is set up, and the doctor's last look found that it does not work. `unknown`: the service that knows it did not respond. */
    state: z.enum(['ok', 'missing', 'failing', 'unknown']),
  })
  .meta({ id: 'SystemCheck' });
export type SystemCheck = z.infer<typeof systemCheck>;

/** How the installation is set up, and what it holds. */
export const systemState = z
  .object({
    /** In the order in which an operator does them. */
    checks: z.array(systemCheck),
    /** When the operator's command last made a backup; null: never. */
    lastBackupAt: z.iso.datetime().nullable(),
    /** Null while they are not known. */
    totals: totals.nullable(),
  })
  .meta({ id: 'SystemState' });
export type SystemState = z.infer<typeof systemState>;
