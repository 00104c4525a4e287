import type { GamePortInput } from '@talpa/contracts';
import { auditedPolicy } from '../access/audited.ts';

/** The fields of a game port whose changes the audit trail shows. */
export function auditedPort({ targetPort, preset, rules, proxyProtocol }: GamePortInput) {
  const { access, rules: shown, otherwise } = auditedPolicy(rules);
  return { targetPort, preset, access, rules: shown, otherwise, proxyProtocol };
}

/** The same to compare two states with: the whole rules. */
export const comparedPort = ({ targetPort, preset, rules, proxyProtocol }: GamePortInput) => ({
  targetPort,
  preset,
  proxyProtocol,
  rules: JSON.stringify(rules),
});
