import { createJudge } from '@talpa/access/judge';
import { accessPolicy } from '@talpa/contracts/access-policy';
import { boundedCache } from '@talpa/service-kit/bounded-cache';
import type { Gate, GateWall } from './ports.ts';

const maximumCached = 2_000;

/** A proxy's policy as the edge reads it. */
export interface PolicyRow {
  readonly proxyId: string;
  /** As JSON. */
  readonly policy: string;
  readonly version: number;
  readonly pinHash: string | null;
  readonly passwordHash: string | null;
}

/**
 * Makes the function that gives the gate of a proxy's policy. Gates are kept by the proxy and all that its policy is made of:
 * a route is looked up each second, a policy is made ready once.
 */
export function createGates(): (row: PolicyRow) => Gate {
  const gates = boundedCache<string, Gate>(maximumCached);
  return (row) => {
    const { proxyId, version, policy, pinHash, passwordHash } = row;
    const key = [proxyId, version, pinHash, passwordHash, policy].join(' ');
    const known = gates.get(key);
    if (known) return known;
    const stored: unknown = JSON.parse(policy);
    const gate = {
      judge: createJudge(stored),
      expires: /"expiresAt": ?"/.test(policy),
      wall: wallOf(row, stored),
    };
    gates.set(key, gate);
    return gate;
  };
}

function wallOf({ proxyId, version, pinHash, passwordHash }: PolicyRow, stored: unknown): GateWall | null {
  const { data } = accessPolicy.safeParse(stored);
  if (data?.kind !== 'wall') return null;
  const { methods, require, preflights } = data;
  return { proxyId, version, methods, require, preflights, hashes: { pin: pinHash, password: passwordHash } };
}
