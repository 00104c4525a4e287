import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { type AccessPolicy, type AccessRule, type AccessVerdict, accessPolicy } from '@talpa/contracts';
import { countryOf } from './country.ts';
import { isBelow, normalPath } from './path.ts';

/** Who visits what. */
export interface Visit {
  readonly address: string;
  /**
   * May have a query. Null: none of the origin's but one of the wall's own, on the way to any other. Rules about paths then neither let in nor refuse,
   * and one that continues leads to the wall: else a rule that refuses all other paths would refuse the wall's forms.
   */
  readonly path: string | null;
}

/** Says what a policy says of a visit. */
export type Judge = (visit: Visit, now?: number) => AccessVerdict;

type Rule = (visit: SeenVisit) => boolean | 'ambiguous';
interface SeenVisit {
  readonly address: string;
  readonly path: string;
  readonly normal: string;
  readonly country: () => string | null;
}

const open: AccessVerdict = { outcome: 'allow', reason: 'open', rule: null };
const wall: AccessVerdict = { outcome: 'wall', reason: 'no_rule', rule: null };
const unknown: AccessVerdict = { outcome: 'deny', reason: 'unknown_policy', rule: null };

/**
 * Makes the judge of a policy, for the edge and for the panel's test of it.
 * @param stored as JSON; one that this version does not understand denies
 */
export function createJudge(stored: unknown): Judge {
  const parsed = accessPolicy.safeParse(stored);
  return parsed.success ? judgeOf(parsed.data) : () => unknown;
}

function judgeOf(policy: AccessPolicy): Judge {
  switch (policy.kind) {
    case 'open':
      return () => open;
    case 'rules': {
      const first = createRules(policy.rules);
      return (visit, now = Date.now()) => {
        const found = first(visit, now);
        if (found) return found;
        return { outcome: policy.otherwise, reason: 'no_rule', rule: null };
      };
    }
    case 'wall': {
      const first = createRules(policy.rules);
      return (visit, now = Date.now()) => first(visit, now) ?? wall;
    }
    default:
      return policy satisfies never;
  }
}

/** The verdict of the first rule that matches; null: what comes after all rules decides. */
function createRules(rules: readonly AccessRule[]) {
  const compiled = rules.map(({ action, match, expiresAt }, index) => ({
    ...{ action, number: index + 1, matches: matcherOf(match), isOfPath: match.by === 'path' },
    endsAt: expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
  }));
  return ({ address, path }: Visit, now: number): AccessVerdict | null => {
    const [plain = ''] = (path ?? '').split(/[?#]/, 1);
    let country: string | null | undefined;
    const seen: SeenVisit = {
      ...{ address, path: plain, normal: normalPath(plain) },
      country: () => {
        country ??= countryOf(address);
        return country;
      },
    };
    for (const { action, number, matches, isOfPath, endsAt } of compiled) {
      if (endsAt <= now) continue;
      if (path === null && isOfPath) {
        if (action === 'continue') return null;
        continue;
      }
      const matched = matches(seen);
      if (matched === 'ambiguous') return { outcome: 'deny', reason: 'ambiguous_path', rule: number };
      if (!matched) continue;
      return action === 'continue' ? null : { outcome: action, reason: 'rule', rule: number };
    }
    return null;
  };
}

function matcherOf(match: AccessRule['match']): Rule {
  switch (match.by) {
    case 'address': {
      const isWithin = networkOf(match.network);
      return ({ address }) => isWithin(address);
    }
    case 'country':
      return ({ country }) => country() === match.country;
    case 'path': {
      const normal = normalPath(match.path);
      return (visit) => {
        const asSent = isBelow(visit.path, match.path);
        // The origin may read the path in another way than the rule was meant: such a path is refused.
        return asSent === isBelow(visit.normal, normal) ? asSent : 'ambiguous';
      };
    }
    default:
      return match satisfies never;
  }
}

/** Makes the function that says whether an address is this one, or in this network. */
function networkOf(network: string): (address: string) => boolean {
  const list = new BlockList();
  const [from = '', bits] = network.split('/');
  const family = isIPv6(from) ? 'ipv6' : 'ipv4';
  list.addSubnet(from, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  return (address) => {
    if (isIPv4(address)) return family === 'ipv4' && list.check(address, 'ipv4');
    return family === 'ipv6' && isIPv6(address) && list.check(address, 'ipv6');
  };
}
