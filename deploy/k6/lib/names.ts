/** What `npm run load -- <scenario> <profile>` takes; here, because Node cannot read what imports k6. */
export const scenarioNames = [
  'sign-in',
  'second-factor',
  'dashboard',
  'proxy-life',
  'api-key',
  'admin-lists',
  'panel',
] as const;
export type ScenarioName = (typeof scenarioNames)[number];

export const profileNames = ['smoke', 'average', 'stress', 'spike', 'soak'] as const;
export type ProfileName = (typeof profileNames)[number];

/** @throws Error that lists them, for a name that is none of them */
export function nameOutOf<N extends string>(kind: string, names: readonly N[], given: string): N {
  const name = names.find((one) => one === given);
  if (name === undefined) throw new Error(`No ${kind} “${given}”. One of: ${names.join(', ')}`);
  return name;
}
