import { serviceTokenHeader, serviceTokenPattern } from '@talpa/contracts/service-token-header';
import { addressKey } from '@talpa/service-kit/address-key';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { GateWall } from '../ports.ts';
import type { VisitorRequest } from '../visitor.ts';
import { askProxies } from './ask-proxies.ts';
import { createLookups } from './lookups.ts';

/** A token that lets its program pass. */
interface Admission {
  /** By `Date.now()`. */
  readonly endsAt: number;
}

export interface ServiceTokens {
  /**
   * What the token in a request lets its program do; null: nothing, or there is none.
   * @param address of whom a wrong one is a try; null: of nobody, because it was asked before
   */
  find(
    wall: GateWall,
    request: VisitorRequest,
    address: string | null,
    mayLook: () => boolean,
  ): Promise<Admission | null>;
  /** Looks at all of them anew. */
  forget(): void;
}

export function createServiceTokens(sql: Sql): ServiceTokens {
  const lookups = createLookups<Admission>();
  const proxies = askProxies(sql);
  const look = async ({ proxyId }: GateWall, token: string, who: string | null) => {
    const endsAt = await proxies.findServiceToken(proxyId, token, who);
    return endsAt === null ? null : { endsAt };
  };
  return {
    find: async (wall, request, address, mayLook) => {
      const token = request.headers[serviceTokenHeader];
      // Two of them are joined with a comma, and are none.
      if (typeof token !== 'string' || !serviceTokenPattern.test(token)) return null;
      const who = address === null ? null : addressKey(address);
      return lookups.find(`${wall.proxyId} ${who} ${token}`, () => look(wall, token, who), mayLook);
    },
    forget: lookups.forget,
  };
}
