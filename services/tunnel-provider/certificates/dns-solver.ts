import { setTimeout as sleep } from 'node:timers/promises';
import type { Solver } from './solver.ts';

/** Writes TXT records of the tunnel domain. */
export interface DnsWriter {
  /** @returns how to remove the record again. @throws CertificateError */
  add(name: string, text: string): Promise<() => Promise<void>>;
}

/** How long a record may take to reach all of a zone's name servers. */
const spreadMs = 5_000;

/** DNS-01: a TXT record of the name, which also serves wildcards. */
export function createDnsSolver(writer: DnsWriter, waitMs = spreadMs): Solver {
  const removals = new Map<string, () => Promise<void>>();
  return {
    type: 'dns-01',
    present: async ({ host, token, answer }) => {
      removals.set(token, await writer.add(`_acme-challenge.${host}`, answer));
      await sleep(waitMs);
    },
    remove: async ({ token }) => {
      const removal = removals.get(token);
      removals.delete(token);
      await removal?.();
    },
  };
}
