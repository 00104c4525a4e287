import { createHash } from 'node:crypto';
import type { Language } from '@talpa/contracts';
import { addressKey } from '@talpa/service-kit/address-key';
import type { Sql } from '@talpa/service-kit/database/sql';

/** Tries of one visitor in 15 minutes (an IPv6 /64 counts as one), and wrong ones of all visitors of a proxy in an hour. */
const tries = { perVisitor: 10, perProxy: 60 };
/** Codes that one visitor, and all visitors of a proxy, may request in 15 minutes. */
const requests = { perVisitor: 5, perProxy: 100 };
const longestAgent = 300;

/** What is stored of a secret. */
const hashOf = (secret: string) => createHash('sha256').update(secret).digest();

/** A proxy, and the version of its policy that a visitor has seen: under another one nothing counts. */
interface Asked {
  readonly proxyId: string;
  readonly version: number;
}

/** Who tries to pass. */
interface Trying {
  readonly address: string;
  readonly agent: string;
}

/** The visit that begins: the secret for the visitor's cookie, and that of the visit it goes on from, if any. */
interface Begun extends Trying {
  readonly token: string;
  readonly previous: string | null;
}

/** A code, where it is entered, and what only the browser has that may enter it. */
interface Entered {
  readonly code: string;
  readonly host: string;
  readonly state: string;
}

/**
 * All that the edge asks proxies about visitors. The answers come from its schema: from the functions in `services/proxies/functions`, each
 * of which says what it counts, locks and refuses, and from the columns that its migrations grant. Every method rejects when the
 * database is away.
 */
export function askProxies(sql: Sql) {
  const visitOf = ({ token, previous, address, agent }: Begun) => sql`
    ${hashOf(token)}, ${previous === null ? null : hashOf(previous)}, ${address}, ${agent.slice(0, longestAgent)}`;
  const endOf = ([row]: readonly { ends: Date | null }[]) => row?.ends ?? null;
  return {
    /** Counts a try with a secret. @returns how many seconds the visitor has to wait; 0: they may try */
    async countTry({ proxyId }: Asked, { address }: Trying): Promise<number> {
      const [row] = await sql<{ wait: number }[]>`
        select proxies.count_access_try(${proxyId}, ${addressKey(address)}, ${tries.perVisitor}, ${tries.perProxy}) as wait`;
      return row?.wait ?? 1;
    },
    /** A PIN or password that was compared here was right; the try is given back. @returns when the visit ends; null: it does not begin */
    async passSecret(
      { proxyId, version }: Asked,
      method: 'pin' | 'password',
      visit: Begun,
    ): Promise<Date | null> {
      return endOf(
        await sql`select proxies.pass_access_secret(${proxyId}, ${version}, ${method}, ${visitOf(visit)}) as ends,
          proxies.return_access_try(${proxyId}, ${addressKey(visit.address)})`,
      );
    },
    /** Redeems a code that the panel has given the browser. @returns when the visit ends; null: it does not begin */
    async redeemCode({ code, host, state }: Entered, visit: Begun): Promise<Date | null> {
      return endOf(
        await sql`select proxies.redeem_access_code(${hashOf(code)}, ${host}, ${hashOf(state)}, ${visitOf(visit)}) as ends`,
      );
    },
    /**
     * Orders a code by email; nothing shows whether the address is listed.
     * @returns how many seconds the visitor has to wait; 0: it is ordered; null: nobody may request one
     */
    async requestEmail(
      { proxyId, version }: Asked,
      asked: {
        readonly email: string;
        readonly host: string;
        readonly state: string;
        readonly language: Language;
      },
      { address }: Trying,
    ): Promise<number | null> {
      const { email, host, state, language } = asked;
      const [row] = await sql<{ wait: number | null }[]>`
        select proxies.request_access_email(${proxyId}, ${version}, ${email}, ${host}, ${hashOf(state)}, ${language},
          ${addressKey(address)}, ${requests.perVisitor}, ${requests.perProxy}) as wait`;
      return row?.wait ?? null;
    },
    /**
     * Redeems a code of an email; the try of a right one is given back. One transaction: while it holds the policy, nobody counts, and two
     * that count and return cannot wait for each other.
     * @returns when the visit ends; null: it does not begin
     */
    async redeemEmail(
      { proxyId }: Asked,
      { code, host, state }: Entered,
      visit: Begun,
    ): Promise<Date | null> {
      return endOf(
        await sql`with redeemed as materialized (
            select proxies.redeem_access_email(${proxyId}, ${host}, ${hashOf(state)}, ${code}, ${visitOf(visit)}) as ends)
          select ends,
            case when ends is not null then proxies.return_access_try(${proxyId}, ${addressKey(visit.address)}) end
          from redeemed`,
      );
    },
    /**
     * Until when a service token lets its program in, in ms since 1970; null: it does not.
     * @param visitor of whom a wrong one is a try, as `addressKey` names them; null: of nobody
     */
    async findServiceToken(proxyId: string, token: string, visitor: string | null): Promise<number | null> {
      const [row] = await sql<{ endsAt: number | null }[]>`
        select proxies.find_service_token(${proxyId}, ${hashOf(token)}, ${visitor}, ${tries.perVisitor}) as ends_at`;
      return row?.endsAt ?? null;
    },
    /** The visit of a secret, under that policy. */
    async findVisit({ proxyId, version }: Asked, token: string) {
      const [row] = await sql<{ methods: string[]; expiresAt: Date }[]>`
        select methods, expires_at from proxies.visits
        where token_hash = ${hashOf(token)} and proxy_uuid = ${proxyId} and policy_version = ${version}
          and expires_at > now()`;
      return row ? { methods: row.methods, endsAt: row.expiresAt.getTime() } : null;
    },
  };
}
