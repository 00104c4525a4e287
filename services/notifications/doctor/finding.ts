import {
  type DoctorCheck,
  type DoctorFinding,
  type DoctorSaying,
  doctorSayings,
  type InternalCalls,
  type InternalName,
} from '@talpa/contracts';
import { diskSettings } from '@talpa/service-kit/disk';
import type { Settings } from '@talpa/service-kit/settings';
import type { z } from 'zod';

/** What the doctor reads; a service and the operator's command both have it. */
export const doctorSettings = [
  'PUBLIC_URL',
  'TUNNEL_DOMAIN',
  'TUNNEL_PROVIDER',
  'EDGE_ADDRESS',
  'EDGE_CONNECTOR_PORT',
  'ACME_EMAIL',
  'ACME_DIRECTORY',
  'SMTP_URL',
  ...diskSettings,
] as const;

/** What the doctor looks at, and from where. */
export interface Patient {
  readonly settings: Settings<(typeof doctorSettings)[number]>;
  /** Where the stores keep their data; empty where that is not this machine's. */
  readonly diskFolders: readonly string[];
  /** A server that Talpa calls anyway, and which knows the time; null: none. */
  readonly clock: string | null;
  /** What listens on this machine is not seen from inside a container. */
  readonly isContainer: boolean;
  /** Whether the mail server has refused the sender of the last email; only who sends them knows. */
  readonly refusesSender?: () => boolean;
  /** The versions of the stores, by their names. @throws Error why one cannot be reached */
  readonly stores: Readonly<Record<string, () => Promise<string>>>;
  ask<N extends InternalName>(
    call: N,
    input: z.input<InternalCalls[N]['input']>,
  ): Promise<z.output<InternalCalls[N]['response']>>;
}

/** Writes a finding; what it means stands with its text. */
export const found = (
  check: DoctorCheck,
  says: DoctorSaying,
  params: DoctorFinding['params'] = {},
): DoctorFinding => ({ check, state: doctorSayings[says].state, says, params });

/** Each look at something ends after so long. */
export const patienceMs = 5_000;

/** The reason of a failure in one line; a failed fetch has its reason in `cause`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : error;
  const { code } = cause as NodeJS.ErrnoException;
  return (cause.message || code || cause.name).slice(0, 200);
}

/** @throws Error when it takes longer than a look may */
export function within<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`ETIMEDOUT, ${patienceMs / 1_000} s`)), patienceMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
