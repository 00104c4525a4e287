import { type PolicyValues, policyOf, valuesOf } from './policy-values.ts';

/** What most people want, in the order of how many it lets in. */
export const presets = ['public', 'pin', 'members', 'address'] as const;
export type Preset = (typeof presets)[number];

const wall = (method: 'pin' | 'member'): PolicyValues => ({
  ...valuesOf({ kind: 'open' }),
  kind: 'wall',
  methods: [method],
});

/** The policy of a preset, without secrets. @param address from where the reader comes */
function presetValues(preset: Preset, address: string): PolicyValues {
  if (preset === 'public') return valuesOf({ kind: 'open' });
  if (preset === 'pin') return wall('pin');
  if (preset === 'members') return wall('member');
  return valuesOf({
    ...{ kind: 'rules', otherwise: 'deny' },
    rules: [{ action: 'allow', match: { by: 'address', network: address }, expiresAt: null }],
  });
}

/** What a form takes over from a preset: all but secrets that are typed already. */
export function chosen(preset: Preset, address: string): Omit<PolicyValues, 'pin' | 'password'> {
  const { pin: _pin, password: _password, ...values } = presetValues(preset, address);
  return values;
}

/** The preset that says what a form says; null: none does. */
export function presetOf(values: PolicyValues, address: string): Preset | null {
  const written = JSON.stringify(policyOf(values));
  return presets.find((one) => JSON.stringify(policyOf(presetValues(one, address))) === written) ?? null;
}
