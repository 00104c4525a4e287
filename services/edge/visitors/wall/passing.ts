import { randomBytes } from 'node:crypto';
import type { Language } from '@talpa/contracts';
import { addressKey } from '@talpa/service-kit/address-key';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { Passwords } from '@talpa/service-kit/passwords';
import type { GateWall } from '../ports.ts';
import { hashOf, isToken } from './sessions.ts';

/** Tries of one visitor in 15 minutes (an IPv6 /64 counts as one), and wrong ones of all visitors of a proxy in an hour. */
const tries = { perVisitor: 10, perProxy: 60 };
/** Codes that one visitor, and all visitors of a proxy, may request in 15 minutes. */
const requests = { perVisitor: 5, perProxy: 100 };
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

/** How a try has ended. */
export type Attempt =
  | Passed
  | { readonly refused: 'wrong' }
  | { readonly refused: 'wait'; readonly seconds: number };

/** A visitor asks for a code by email. */
export interface CodeRequest {
  /** In lower case. */
  readonly address: string;
  readonly host: string;
  readonly language: Language;
  /** What only their browser has. */
  readonly state: string;
}

/** What passing takes: the database counts and stores, the edge compares. */
export function createPassing(sql: Sql, passwords: Passwords) {
  const begun = (token: string, ends: Date | null | undefined): Passed | null =>
    ends ? { token, seconds: Math.max(1, Math.floor((ends.getTime() - Date.now()) / 1_000)) } : null;
  const newToken = () => randomBytes(32).toString('base64url');
  const tryIt = async ({ proxyId }: GateWall, { address }: Passer): Promise<Attempt | null> => {
    const [count] = await sql<{ wait: number }[]>`
      select proxies.count_access_try(${proxyId}, ${addressKey(address)}, ${tries.perVisitor}, ${tries.perProxy}) as wait`;
    return !count || count.wait > 0 ? { refused: 'wait', seconds: count?.wait ?? 1 } : null;
  };
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
      const refused = await tryIt(wall, passer);
      if (refused) return refused;
      const { proxyId, version } = wall;
      if (!(await passwords.verify(hash, secret))) return { refused: 'wrong' };
      const token = newToken();
      const [row] = await sql<{ ends: Date | null }[]>`
        select proxies.pass_access_secret(${proxyId}, ${version}, ${method}, ${hashOf(token)}, ${previousOf(passer)},
          ${passer.address}, ${passer.agent.slice(0, longestAgent)}) as ends,
          proxies.return_access_try(${proxyId}, ${addressKey(passer.address)})`;
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
    /**
     * Has a code sent to an address if it is listed; nothing shows here whether it is.
     * @returns how many seconds the visitor has to wait before they may request one; null: nobody may
     */
    async requestCode(wall: GateWall, request: CodeRequest, passer: Passer): Promise<number | null> {
      if (!wall.methods.includes('email')) return null;
      const [row] = await sql<{ wait: number | null }[]>`
        select proxies.request_access_email(${wall.proxyId}, ${wall.version}, ${request.address}, ${request.host},
          ${hashOf(request.state)}, ${request.language}, ${addressKey(passer.address)}, ${requests.perVisitor},
          ${requests.perProxy}) as wait`;
      return row?.wait ?? null;
    },
    /** Tries the code of an email. The try is counted like one of a PIN, before the database compares. */
    async tryCode(
      wall: GateWall,
      host: string,
      code: string,
      state: string,
      passer: Passer,
    ): Promise<Attempt> {
      if (!wall.methods.includes('email') || !/^\d{6}$/.test(code)) return { refused: 'wrong' };
      const refused = await tryIt(wall, passer);
      if (refused) return refused;
      const token = newToken();
      // One transaction: while it holds the policy, nobody counts, and two that count and return cannot wait for each other.
      const [row] = await sql<{ ends: Date | null }[]>`
        with redeemed as materialized (
          select proxies.redeem_access_email(${wall.proxyId}, ${host}, ${hashOf(state)}, ${code}, ${hashOf(token)},
            ${previousOf(passer)}, ${passer.address}, ${passer.agent.slice(0, longestAgent)}) as ends)
        select ends,
          case when ends is not null then proxies.return_access_try(${wall.proxyId}, ${addressKey(passer.address)}) end
        from redeemed`;
      return begun(token, row?.ends) ?? { refused: 'wrong' };
    },
  };
}
export type Passing = ReturnType<typeof createPassing>;
