import type { Account } from './account.ts';
import type { SettingsTab } from './forms.ts';
import type { Model } from './model.ts';

export const errandNames = [
  'createApiKey',
  'revokeApiKey',
  'createChannel',
  'renameChannel',
  'removeChannel',
  'addPasskey',
  'renamePasskey',
  'removePasskey',
  'setUpFactor',
  'replaceCodes',
  'removeFactor',
  'unlinkIdentity',
  'resetPassword',
] as const;
export type ErrandName = (typeof errandNames)[number];

/** Something done in one dialog, or in several that follow each other. Plain data. */
export interface Errand {
  readonly what: ErrandName;
  /** Which of the things there are. */
  readonly at: number;
  /** What a new or renamed thing is called. */
  readonly name: string;
  /** Whether the dialog is left half-filled first, and opened again. */
  readonly twice: boolean;
}

interface Kind {
  /** On which tab of the settings it begins; null: on any page. */
  readonly tab: SettingsTab | null;
  /** The only calls it may make, in any order. */
  readonly calls: readonly string[];
  isPossible(account: Account, at: number): boolean;
  /** What is true afterwards. */
  apply(model: Model, errand: Errand): void;
}

const mostOfAKind = 3;
const own = '/api/user';
const add = (list: 'apiKeys' | 'channels' | 'passkeys') => ({
  isPossible: (account: Account) => account[list].length < mostOfAKind,
  apply: ({ account }: Model, { name }: Errand) => void account[list].push(name),
});
const rename = (list: 'channels' | 'passkeys') => ({
  isPossible: (account: Account, at: number) => at < account[list].length,
  apply: ({ account }: Model, { at, name }: Errand) => void account[list].splice(at, 1, name),
});
const remove = (list: 'apiKeys' | 'channels' | 'passkeys') => ({
  isPossible: (account: Account, at: number) => at < account[list].length,
  apply: ({ account }: Model, { at }: Errand) => void account[list].splice(at, 1),
});

export const errands: Readonly<Record<ErrandName, Kind>> = {
  createApiKey: { tab: 'security', calls: [`POST ${own}/api-keys`], ...add('apiKeys') },
  revokeApiKey: { tab: 'security', calls: [`DELETE ${own}/api-keys/:id`], ...remove('apiKeys') },
  createChannel: { tab: 'notifications', calls: [`POST ${own}/channels`], ...add('channels') },
  renameChannel: { tab: 'notifications', calls: [`PUT ${own}/channels/:id`], ...rename('channels') },
  removeChannel: { tab: 'notifications', calls: [`DELETE ${own}/channels/:id`], ...remove('channels') },
  addPasskey: {
    tab: 'security',
    calls: [`POST ${own}/passkeys/challenge`, `POST ${own}/passkeys`],
    ...add('passkeys'),
  },
  renamePasskey: { tab: 'security', calls: [`PUT ${own}/passkeys/:id`], ...rename('passkeys') },
  removePasskey: { tab: 'security', calls: [`DELETE ${own}/passkeys/:id`], ...remove('passkeys') },
  setUpFactor: {
    tab: 'security',
    // Once more where the dialog is opened twice.
    calls: [
      `POST ${own}/authenticator`,
      `POST ${own}/authenticator`,
      `POST ${own}/authenticator/confirmation`,
    ],
    isPossible: ({ hasApp }) => !hasApp,
    apply: ({ account }) => {
      account.hasApp = true;
    },
  },
  replaceCodes: {
    tab: 'security',
    calls: [`POST ${own}/recovery-codes`],
    isPossible: ({ hasApp }) => hasApp,
    apply: () => {},
  },
  removeFactor: {
    tab: 'security',
    calls: [`POST ${own}/authenticator/removal`],
    isPossible: ({ hasApp }) => hasApp,
    apply: ({ account }) => {
      account.hasApp = false;
    },
  },
  // It is linked at another place.
  unlinkIdentity: {
    tab: 'security',
    calls: [`DELETE ${own}/identities/:id`],
    isPossible: () => true,
    apply: () => {},
  },
  // Of another user, in another browser.
  resetPassword: {
    tab: null,
    calls: [],
    isPossible: (_account, at) => at < 2,
    apply: ({ deeds }, { at }) => {
      const record = { of: 'user', at } as const;
      deeds.push({ record, text: 'user.createResetLink' }, { record, text: 'user.resetPassword' });
    },
  },
};
