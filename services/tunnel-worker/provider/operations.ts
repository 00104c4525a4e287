/** A call of the provider: what it asks for, and whether it names one object that may be missing. */
interface Operation {
  readonly of: 'account' | 'zone';
  readonly names: boolean;
}

/** Every call of the provider, by what it is called in logs and figures. */
export const operations = {
  'create tunnel': { of: 'account', names: false },
  'list tunnels': { of: 'account', names: false },
  'get tunnel': { of: 'account', names: true },
  'list connections': { of: 'account', names: true },
  'get token': { of: 'account', names: true },
  'put configuration': { of: 'account', names: true },
  'rotate secret': { of: 'account', names: true },
  'drop connections': { of: 'account', names: true },
  'delete tunnel': { of: 'account', names: true },
  'get zone': { of: 'zone', names: false },
  'create record': { of: 'zone', names: false },
  'list records': { of: 'zone', names: false },
  'replace record': { of: 'zone', names: true },
  'delete record': { of: 'zone', names: true },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
