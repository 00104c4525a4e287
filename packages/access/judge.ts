import { BlockList, isIPv4, isIPv6 } from 'node:net';
import {
  type AccessPolicy,
  type AccessRule,
  type AccessVerdict,
  accessPolicy,
} from '@talpa/contracts/access-policy';
import { countryOf } from './country.ts';
import { isBelow, type ReadPath, readPath } from './path.ts';

/** What is judged: who requests what. */
export interface JudgedRequest {
  readonly address: string;
  /**
   * May have a query. Null: none of the origin's but one of the wall's own, on the way to any other. Rules about paths then neither let in nor refuse,
   * and one that continues leads to the wall: else a rule that refuses all other paths would refuse the wall's forms.
   */
  readonly path: string | null;
}

/** Says what a policy says of a request. */
export type Judge = (request: JudgedRequest, now?: number) => AccessVerdict;

type Rule = (request: SeenRequest) => 'yes' | 'no' | 'maybe';
interface SeenRequest {
  readonly address: string;
  readonly path: () => ReadPath;
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
    case 'rules':
      return createRules(policy.rules, { outcome: policy.otherwise, reason: 'no_rule', rule: null });
    case 'wall':
      return createRules(policy.rules, wall);
    default:
      return policy satisfies never;
  }
}

/** The less a verdict gives, the later it stands. */
const strictness = ['allow', 'wall', 'deny'] as const satisfies readonly AccessVerdict['outcome'][];

/**
 * The verdict of the first rule that matches. A path that servers read in different ways is judged in all of them: if the verdicts
 * differ, the strictest holds, and is called ambiguous.
 * @param rest of those whom no rule matches
 */
function createRules(rules: readonly AccessRule[], rest: AccessVerdict): Judge {
  const compiled = rules.map(({ action, match, expiresAt }, index) => ({
    matches: matcherOf(match),
    isOfPath: match.by === 'path',
    endsAt: expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
    verdict:
      action === 'continue' ? rest : ({ outcome: action, reason: 'rule', rule: index + 1 } as AccessVerdict),
    number: index + 1,
  }));
  return ({ address, path }, now = Date.now()) => {
    const seen: SeenRequest = {
      address,
      path: once(() => readPath(path ?? '')),
      country: once(() => countryOf(address)),
    };
    const possible: AccessVerdict[] = [];
    let unclear: number | null = null;
    const conclude = (last: AccessVerdict): AccessVerdict => {
      const [first = last] = possible;
      if (possible.every(({ outcome }) => outcome === last.outcome)) return first;
      const outcomes = [...possible, last].map(({ outcome }) => outcome);
      const outcome = strictness.findLast((one) => outcomes.includes(one)) ?? 'deny';
      return { outcome, reason: 'ambiguous_path', rule: unclear };
    };
    for (const { matches, isOfPath, endsAt, verdict, number } of compiled) {
      if (endsAt <= now) continue;
      if (path === null && isOfPath) {
        if (verdict === rest) return rest;
        continue;
      }
      const matched = matches(seen);
      if (matched === 'yes') return conclude(verdict);
      if (matched === 'no') continue;
      possible.push(verdict);
      unclear ??= number;
    }
    return conclude(rest);
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const whether = (is: boolean) => (is ? 'yes' : 'no');

function matcherOf(match: AccessRule['match']): Rule {
  switch (match.by) {
    case 'address': {
      const isWithin = networkOf(match.network);
      return ({ address }) => whether(isWithin(address));
    }
    case 'country':
      return ({ country }) => whether(country() === match.country);
    case 'path':
      return ({ path }) => isBelow(path(), match.path);
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
