import { isDeepStrictEqual } from 'node:util';
import type { AppliedProxy, DesiredProxy, DesiredServer, WantedProxy } from '@talpa/contracts';
import { ingressOf, isAllSuspended, type ProxyRule } from '../provider/client.ts';
import { isProviderError, type ProviderError } from '../provider/errors.ts';
import type { EnsuredTunnel } from './tunnel.ts';

/** Puts the one configuration of all proxies behind a tunnel. */
export interface Configuration {
  /** The rules that were put last; null: none were. */
  readonly last: readonly ProxyRule[] | null;
  /**
   * Puts the wanted rules of some proxies and those in force of the others; what was put last is not put again. If it is refused, the
   * wanted ones are added singly: one proxy's mistake is not its siblings'.
   * @returns the proxies whose rules are refused
   * @throws ProviderError `refused` when no proxy's change is to blame
   */
  put(wanted: ReadonlySet<string>): Promise<ReadonlyMap<string, ProviderError>>;
  /** Whether there is anything to put but the wanted rules. */
  readonly hasOthers: boolean;
}

/** @param isCertain memory says what the configuration is */
export function createConfiguration(
  tunnel: EnsuredTunnel,
  desired: DesiredServer,
  isCertain: boolean,
): Configuration {
  const { proxies } = desired;
  const ruleInForce = (proxy: DesiredProxy) => (isServedHere(desired, proxy) ? ruleInForceOf(proxy) : null);
  let last: readonly ProxyRule[] | null = null;
  const rulesWith = (wanted: ReadonlySet<string>) =>
    proxies.flatMap((proxy) => {
      const rule = proxy.want && wanted.has(proxy.proxyId) ? ruleOf(proxy.want) : ruleInForce(proxy);
      return rule ? [rule] : [];
    });
  const put = async (rules: readonly ProxyRule[]) => {
    if (last && isSame(rules, last)) return;
    await tunnel.configure(rules);
    last = rules;
  };
  const blame = async (wanted: ReadonlySet<string>, refusal: ProviderError) => {
    const changing = proxies.filter(
      (proxy) =>
        proxy.want && wanted.has(proxy.proxyId) && !isDeepStrictEqual(ruleOf(proxy.want), ruleInForce(proxy)),
    );
    if (changing.length === 0) throw refusal;
    const culprits = new Map<string, ProviderError>();
    const accepted = new Set(wanted);
    for (const { proxyId } of changing) accepted.delete(proxyId);
    for (const { proxyId } of changing) {
      // Of a single one it is known already.
      const failure =
        changing.length === 1 ? refusal : await refusalOf(put(rulesWith(new Set([...accepted, proxyId]))));
      if (failure) culprits.set(proxyId, failure);
      else accepted.add(proxyId);
    }
    const rest = rulesWith(accepted);
    const before =
      last ??
      (isCertain
        ? proxies.flatMap((proxy) =>
            proxy.applied && isServedHere(desired, proxy) ? [ruleOf(proxy.applied)] : [],
          )
        : null);
    if (before ? !isSame(rest, before) : rest.length > 0) await put(rest);
    return culprits;
  };
  return {
    get last() {
      return last;
    },
    hasOthers: rulesWith(new Set()).length > 0,
    put: async (wanted) => {
      const refusal = await refusalOf(put(rulesWith(wanted)));
      return refusal ? blame(wanted, refusal) : new Map();
    },
  };
}

/** Whether a proxy is served by the tunnel that its server has, or had; not one that has just moved here. */
export const isServedHere = ({ tunnel }: DesiredServer, { applied }: DesiredProxy): boolean =>
  applied !== null && applied.tunnelId === tunnel.applied?.tunnelId;

/** What is served of a proxy until what it wants is certain: a suspension waits for nothing. */
function ruleInForceOf({ want, applied }: DesiredProxy): ProxyRule | null {
  if (!want || !applied) return null;
  return ruleOf({ ...applied, suspended: want.suspended || applied.suspended });
}

function ruleOf({
  hostname,
  origin,
  originOptions,
  suspended,
  domains,
}: WantedProxy | AppliedProxy): ProxyRule {
  return { hostname, origin, originOptions, suspended: suspended ?? false, domains: domains ?? [] };
}

const isSame = (one: readonly ProxyRule[], other: readonly ProxyRule[]) =>
  isDeepStrictEqual(ingressOf(one), ingressOf(other));

/** @throws whatever is no refusal */
async function refusalOf(call: Promise<void>): Promise<ProviderError | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (isProviderError(error, 'refused')) return error;
    throw error;
  }
}

/** Whether the configuration that was put last lets nobody through. */
export const letsNobodyIn = ({ last }: Configuration): boolean => last !== null && isAllSuspended(last);
