import { randomBytes } from 'node:crypto';
import { addressKey } from '@talpa/service-kit/address-key';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { Passwords } from '@talpa/service-kit/passwords';
import type { GateWall } from '../ports.ts';
import { hashOf, isToken } from './sessions.ts';

/** Tries of one visitor in 15 minutes (an IPv6 /64 counts as one), and wrong ones of all visitors of a proxy in an hour. */
const tries = { perVisitor: 10, perProxy: 60 };
const longestAgent = 300;

/** Who tries to pass, and what they have passed already. */
export interface Passer {
  readonly address: string;
  readonly agent: string;
  /** The secret of their visit so far; null: none. */
  readonly token: string | null;
}

/** Somebody has passed by one method: the secret for their cookie. */
export interface Passed {
  readonly token: string;
  readonly seconds: number;
}

export type Attempt =
  | Passed
  | { readonly refused: 'wrong' }
  | { readonly refused: 'wait'; readonly seconds: number };

/** What passing takes: the database counts and stores, the edge compares. */
export function createPassing(sql: Sql, passwords: Passwords) {
  const begun = (token: string, ends: Date | null | undefined): Passed | null =>
    ends ? { token, seconds: Math.max(1, Math.floor((ends.getTime() - Date.now()) / 1_000)) } : null;
  const newToken = () => randomBytes(32).toString('base64url');
  const previousOf = ({ token }: Passer) => (token && isToken(token) ? hashOf(token) : null);
  return {
    /** Tries a PIN or a password. The try is counted before it is compared: those who try at once count all. */
    async trySecret(
      wall: GateWall,
      method: 'pin' | 'password',
      secret: string,
      passer: Passer,
    ): Promise<Attempt> {
      const hash = wall.methods.includes(method) ? wall.hashes[method] : null;
      if (hash === null) return { refused: 'wrong' };
      const { proxyId, version } = wall;
      const visitor = addressKey(passer.address);
      const [count] = await sql<{ wait: number }[]>`
        select proxies.count_access_try(${proxyId}, ${visitor}, ${tries.perVisitor}, ${tries.perProxy}) as wait`;
      if (!count || count.wait > 0) return { refused: 'wait', seconds: count?.wait ?? 1 };
      if (!(await passwords.verify(hash, secret))) return { refused: 'wrong' };
      const token = newToken();
      const [row] = await sql<{ ends: Date | null }[]>`
        select proxies.pass_access_secret(${proxyId}, ${version}, ${method}, ${hashOf(token)}, ${previousOf(passer)},
          ${passer.address}, ${passer.agent.slice(0, longestAgent)}) as ends,
          proxies.return_access_try(${proxyId}, ${visitor})`;
      return begun(token, row?.ends) ?? { refused: 'wrong' };
    },
    /** Redeems a code that the panel has given the browser; null: it does not count, or not here. */
    async redeem(host: string, code: string, state: string, passer: Passer): Promise<Passed | null> {
      if (!isToken(code)) return null;
      const token = newToken();
      const [row] = await sql<{ ends: Date | null }[]>`
        select proxies.redeem_access_code(${hashOf(code)}, ${host}, ${hashOf(state)}, ${hashOf(token)},
          ${previousOf(passer)}, ${passer.address}, ${passer.agent.slice(0, longestAgent)}) as ends`;
      return begun(token, row?.ends);
    },
  };
}
export type Passing = ReturnType<typeof createPassing>;
