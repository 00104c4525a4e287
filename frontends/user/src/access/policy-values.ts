import type { AccessAction, AccessPolicy, AccessRule, ProxyAccess, WallMethod } from '@talpa/contracts';

/** A rule as its form holds it: one field for what is matched, whatever that is. */
export interface RuleValues {
  readonly action: AccessAction;
  readonly by: AccessRule['match']['by'];
  readonly value: string;
  readonly expiresAt: string | null;
}

/** A policy as its form holds it. What the kind does not use is kept while the form is open. */
export interface PolicyValues {
  readonly kind: AccessPolicy['kind'];
  readonly rules: readonly RuleValues[];
  readonly otherwise: 'allow' | 'deny';
  readonly methods: readonly WallMethod[];
  readonly require: 'any' | 'all';
  readonly days: number;
  readonly preflights: boolean;
  /** Who gets a code by email: one address in a line. */
  readonly emails: string;
  /** New secrets; empty: they stay. */
  readonly pin: string;
  readonly password: string;
}

const firstValues: PolicyValues = {
  kind: 'open',
  rules: [],
  otherwise: 'deny',
  methods: ['member'],
  require: 'any',
  days: 7,
  preflights: false,
  emails: '',
  pin: '',
  password: '',
};

export function valuesOf(policy: AccessPolicy): PolicyValues {
  if (policy.kind === 'open') return firstValues;
  const { kind } = policy;
  const values = { ...firstValues, kind, rules: policy.rules.map(ruleValuesOf) };
  if (kind === 'rules') return { ...values, otherwise: policy.otherwise };
  const { methods, require, days, emails, preflights } = policy;
  return { ...values, methods, require, days, preflights, emails: emails.join('\n') };
}

/** What the form of a proxy begins with. */
export function startOf({ policy, signIn }: Pick<ProxyAccess, 'policy' | 'signIn'>): PolicyValues {
  const values = valuesOf(policy);
  // What nobody could pass is not suggested.
  return policy.kind === 'wall' || signIn ? values : { ...values, methods: [] };
}

export function policyOf(values: PolicyValues): AccessPolicy {
  const { kind, otherwise, require, days, preflights } = values;
  if (kind === 'open') return { kind };
  const rules = values.rules.map(ruleOf);
  return kind === 'rules'
    ? { kind, rules, otherwise }
    : {
        kind,
        rules,
        methods: [...values.methods],
        require,
        days,
        emails: emailsIn(values.emails),
        preflights,
      };
}

/** The addresses in what was typed, one in a line or with anything between them that no address has. */
export const emailsIn = (text: string): string[] => text.split(/[\s,;]+/).filter((one) => one !== '');

const matchedBy = (match: AccessRule['match']): string => {
  if (match.by === 'address') return match.network;
  return match.by === 'country' ? match.country : match.path;
};

const ruleValuesOf = ({ action, match, expiresAt }: AccessRule): RuleValues => ({
  action,
  by: match.by,
  value: matchedBy(match),
  expiresAt,
});

const ruleOf = ({ action, by, value, expiresAt }: RuleValues): AccessRule => ({
  action,
  expiresAt: expiresAt ?? null,
  match:
    by === 'address'
      ? { by, network: value }
      : by === 'country'
        ? { by, country: value }
        : { by, path: value },
});
