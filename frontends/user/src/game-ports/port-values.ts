import type { GamePort, GamePortInput, GamePortPreset, GamePortRules } from '@talpa/contracts';
import { presetPorts } from '@talpa/contracts/game-port-presets';
import { policyOf, type RuleValues, valuesOf } from '../access/policy-values.ts';

/** A game port as its form holds it. Rules are kept while the form is open, also where everyone may connect. */
export interface PortValues {
  readonly preset: GamePortPreset;
  /** As it was typed. */
  readonly targetPort: number | string;
  readonly kind: GamePortRules['kind'];
  readonly rules: readonly RuleValues[];
  readonly otherwise: 'allow' | 'deny';
  readonly proxyProtocol: boolean;
}

/** What a new game port of this kind begins with. RCON is protected by a password alone: only the present address may connect. */
export function firstValues(preset: GamePortPreset, address: string): PortValues {
  const forMe: RuleValues = { action: 'allow', by: 'address', value: address, expiresAt: null };
  return {
    preset,
    targetPort: presetPorts[preset] ?? '',
    proxyProtocol: false,
    otherwise: 'deny',
    ...(preset === 'rcon' ? { kind: 'rules', rules: [forMe] } : { kind: 'open', rules: [] }),
  };
}

export function portValuesOf({ preset, targetPort, rules, proxyProtocol }: GamePort): PortValues {
  const { rules: shown, otherwise } = valuesOf(rules);
  return { preset, targetPort, kind: rules.kind, rules: shown, otherwise, proxyProtocol };
}

/** What the API is sent. */
export function portInputOf({ preset, targetPort, kind, rules, otherwise, proxyProtocol }: PortValues) {
  const policy = policyOf({ ...valuesOf({ kind: 'open' }), kind, rules, otherwise });
  // The form offers no paths.
  const chosen = policy as GamePortInput['rules'];
  return { preset, targetPort: Number(targetPort), rules: chosen, proxyProtocol };
}
