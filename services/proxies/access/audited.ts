import type { AccessPolicy } from '@talpa/contracts';
import { firstState } from '@talpa/service-kit/database/changes';

/** The fields of a policy whose changes the audit trail shows. */
export function auditedPolicy(policy: AccessPolicy) {
  const none = {
    access: policy.kind,
    rules: null,
    otherwise: null,
    methods: null,
    emails: null,
    preflights: null,
  };
  if (policy.kind === 'open') return none;
  const rules = policy.rules.map(({ action, match }) => {
    const what = { address: 'network', country: 'country', path: 'path' } as const;
    return `${action} ${(match as Readonly<Record<string, string>>)[what[match.by]]}`;
  });
  const shown = { ...none, rules: rules.join(', ') || null };
  if (policy.kind === 'rules') return { ...shown, otherwise: policy.otherwise };
  // Of addresses how many, not whose.
  return {
    ...shown,
    methods: policy.methods.join(', '),
    emails: policy.emails.length || null,
    preflights: policy.preflights || null,
  };
}

/** What the audit trail shows of the policy that a proxy is created with. */
export function firstPolicy(policy: AccessPolicy) {
  const { access, methods } = auditedPolicy(policy);
  return firstState({ access, methods });
}
