import { randomBytes } from 'node:crypto';
import type { Language } from '@talpa/contracts';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { Passwords } from '@talpa/service-kit/passwords';
import type { GateWall } from '../ports.ts';
import { askProxies } from './ask-proxies.ts';
import { isToken } from './visits.ts';

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
  const proxies = askProxies(sql);
  const begun = (token: string, ends: Date | null): Passed | null =>
    ends && { token, seconds: Math.max(1, Math.floor((ends.getTime() - Date.now()) / 1_000)) };
  const tryIt = async (wall: GateWall, passer: Passer): Promise<Attempt | null> => {
    const seconds = await proxies.countTry(wall, passer);
    return seconds > 0 ? { refused: 'wait', seconds } : null;
  };
  const visitOf = ({ token, ...who }: Passer) => ({
    ...who,
    token: randomBytes(32).toString('base64url'),
    previous: token && isToken(token) ? token : null,
  });
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
      if (!(await passwords.verify(hash, secret))) return { refused: 'wrong' };
      const visit = visitOf(passer);
      return begun(visit.token, await proxies.passSecret(wall, method, visit)) ?? { refused: 'wrong' };
    },
    /** Redeems a code that the panel has given the browser; null: it does not count, or not here. */
    async redeem(host: string, code: string, state: string, passer: Passer): Promise<Passed | null> {
      if (!isToken(code)) return null;
      const visit = visitOf(passer);
      return begun(visit.token, await proxies.redeemCode({ code, host, state }, visit));
    },
    /**
     * Has a code sent to an address if it is listed; nothing shows here whether it is.
     * @returns how many seconds the visitor has to wait before they may request one; null: nobody may
     */
    async requestCode(
      wall: GateWall,
      { address: email, ...asked }: CodeRequest,
      passer: Passer,
    ): Promise<number | null> {
      if (!wall.methods.includes('email')) return null;
      return proxies.requestEmail(wall, { email, ...asked }, passer);
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
      const visit = visitOf(passer);
      return (
        begun(visit.token, await proxies.redeemEmail(wall, { code, host, state }, visit)) ?? {
          refused: 'wrong',
        }
      );
    },
  };
}
export type Passing = ReturnType<typeof createPassing>;
