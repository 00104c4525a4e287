import { z } from 'zod';
import {
  type DoctorCheck,
  type DoctorSaying,
  doctorChecks,
  doctorSayings,
  doctorStates,
} from './doctor-texts.ts';

const checks = z.enum(Object.keys(doctorChecks) as [DoctorCheck, ...DoctorCheck[]]);
const sayings = Object.keys(doctorSayings) as [DoctorSaying, ...DoctorSaying[]];

/** One thing that the doctor has found; never a secret. */
export const doctorFinding = z
  .object({
    check: checks,
    state: z.enum(doctorStates),
    /** Its text. */
    says: z.enum(sayings),
    params: z.record(z.string(), z.union([z.string(), z.number()])),
  })
  .meta({ id: 'DoctorFinding' });
export type DoctorFinding = z.infer<typeof doctorFinding>;

/** What a running service has found of the installation. */
export const doctorReport = z
  .object({
    findings: z.array(doctorFinding),
    /** What only the operator's command can check, which has all settings. */
    notChecked: z.array(checks),
    checkedAt: z.iso.datetime(),
  })
  .meta({ id: 'DoctorReport' });
export type DoctorReport = z.infer<typeof doctorReport>;
