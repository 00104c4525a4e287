import { change } from './change.ts';
import { fresh, type Place } from './forms.ts';
import { type Model, tabOf } from './model.ts';
import { none } from './records.ts';
import {
  canLeave,
  isOpen,
  isThere,
  moveTo,
  proxiesOn,
  reachOfMember,
  renameServer,
  renewToken,
  sharedProxy,
} from './servers.ts';

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
  'revokeEnrolmentKey',
  'resetPassword',
  'renameServer',
  'showServerToken',
  'newServerToken',
  'deleteServer',
  'createOnServer',
  'moveProxy',
  'resumeProxy',
  'renameElsewhere',
  'moveElsewhere',
  'readAsMember',
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
  /** The server that a proxy is moved to. */
  readonly to?: number;
}

interface Kind {
  /** On which page it begins, that of its own record if it is one's; null: on any. */
  readonly on: Place | null;
  /** Whether it is about a second server. */
  readonly moves?: true;
  /** The only calls it may make, in any order. */
  readonly calls: readonly string[];
  isPossible(model: Model, errand: Errand): boolean;
  /** What is true afterwards. */
  apply(model: Model, errand: Errand): void;
}

const mostOfAKind = 3;
/** Longer lists would have search and pages. */
export const mostRecords = 4;
const own = '/api/user';
const security: Place = { name: 'settings', tab: 'security' };
const notifications: Place = { name: 'settings', tab: 'notifications' };
const server: Place = { name: 'server' };
const proxies: Place = { name: 'proxies' };
const ofServer = '/api/servers';
const ofProxy = '/api/tunnel-configs';
const add = (list: 'apiKeys' | 'channels' | 'passkeys') => ({
  isPossible: ({ account }: Model) => account[list].length < mostOfAKind,
  apply: ({ account }: Model, { name }: Errand) => void account[list].push(name),
});
const rename = (list: 'channels' | 'passkeys') => ({
  isPossible: ({ account }: Model, { at }: Errand) => at < account[list].length,
  apply: ({ account }: Model, { at, name }: Errand) => void account[list].splice(at, 1, name),
});
const remove = (list: 'apiKeys' | 'channels' | 'passkeys') => ({
  isPossible: ({ account }: Model, { at }: Errand) => at < account[list].length,
  apply: ({ account }: Model, { at }: Errand) => void account[list].splice(at, 1),
});

export const errands: Readonly<Record<ErrandName, Kind>> = {
  createApiKey: { on: security, calls: [`POST ${own}/api-keys`], ...add('apiKeys') },
  revokeApiKey: { on: security, calls: [`DELETE ${own}/api-keys/:id`], ...remove('apiKeys') },
  createChannel: { on: notifications, calls: [`POST ${own}/channels`], ...add('channels') },
  renameChannel: { on: notifications, calls: [`PUT ${own}/channels/:id`], ...rename('channels') },
  removeChannel: { on: notifications, calls: [`DELETE ${own}/channels/:id`], ...remove('channels') },
  addPasskey: {
    on: security,
    calls: [`POST ${own}/passkeys/challenge`, `POST ${own}/passkeys`],
    ...add('passkeys'),
  },
  renamePasskey: { on: security, calls: [`PUT ${own}/passkeys/:id`], ...rename('passkeys') },
  removePasskey: { on: security, calls: [`DELETE ${own}/passkeys/:id`], ...remove('passkeys') },
  setUpFactor: {
    on: security,
    // Once more where the dialog is opened twice.
    calls: [
      `POST ${own}/authenticator`,
      `POST ${own}/authenticator`,
      `POST ${own}/authenticator/confirmation`,
    ],
    isPossible: ({ account }) => !account.hasApp,
    apply: ({ account }) => {
      account.hasApp = true;
    },
  },
  replaceCodes: {
    on: security,
    calls: [`POST ${own}/recovery-codes`],
    isPossible: ({ account }) => account.hasApp,
    apply: () => {},
  },
  removeFactor: {
    on: security,
    calls: [`POST ${own}/authenticator/removal`],
    isPossible: ({ account }) => account.hasApp,
    apply: ({ account }) => {
      account.hasApp = false;
    },
  },
  // It is linked at another place.
  unlinkIdentity: {
    on: security,
    calls: [`DELETE ${own}/identities/:id`],
    isPossible: () => true,
    apply: () => {},
  },
  // It is made at another place.
  revokeEnrolmentKey: {
    on: security,
    calls: ['DELETE /api/enrolment-keys/:id'],
    isPossible: () => true,
    apply: () => {},
  },
  // Of another user, in another browser.
  resetPassword: {
    on: null,
    calls: [],
    isPossible: (_model, { at }) => at < 2,
    apply: ({ deeds }, { at }) => {
      const record = { of: 'user', at } as const;
      deeds.push({ record, text: 'user.createResetLink' }, { record, text: 'user.resetPassword' });
    },
  },
  renameServer: {
    on: server,
    calls: [`PUT ${ofServer}/:id`],
    isPossible: (model, { at }) => isThere(model, at),
    apply: (model, { at, name }) => renameServer(model, at, name),
  },
  showServerToken: {
    on: server,
    calls: [],
    isPossible: (model, { at }) => isThere(model, at),
    apply: () => {},
  },
  newServerToken: {
    on: server,
    calls: [`POST ${ofServer}/:id/recreate`],
    isPossible: (model, { at }) => isThere(model, at),
    apply: (model, { at }) => renewToken(model, at),
  },
  deleteServer: {
    on: server,
    calls: [`DELETE ${ofServer}/:id`],
    // Its page in the other tab would say so: that is for the test of servers.
    isPossible: (model, { at }) =>
      isThere(model, at) && proxiesOn(model, at).length === 0 && !isOpen(model, at, tabOf(model)),
    apply: (model, { at }) => {
      Object.assign(model.servers[at] ?? {}, { isGone: true });
      model.deeds.push({ record: { of: 'server', at }, text: 'server.delete' });
      const { history, now } = tabOf(model);
      history[now] = proxies;
    },
  },
  createOnServer: {
    on: server,
    // One whose token somebody knows gets another one first; in the end the guide makes a command.
    calls: [`POST ${ofProxy}`, `POST ${ofServer}/:id/recreate`, 'POST /api/enrolment-keys'],
    isPossible: (model, { at }) => isThere(model, at) && model.records.proxy.length < mostRecords,
    apply: (model, { at, name }) => {
      if (model.servers[at]?.isShared) renewToken(model, at);
      const proxy = model.records.proxy.length;
      const values = { ...fresh.createProxy, serverName: name, reason: none, message: none };
      model.records.proxy.push(values);
      model.serverOf.push(at);
      model.deeds.push({ record: { of: 'proxy', at: proxy }, text: 'proxy.create' });
    },
  },
  moveProxy: {
    on: proxies,
    moves: true,
    calls: [`PUT ${ofProxy}/:id/server`],
    isPossible: (model, { at, to = 0 }) => canLeave(model, at, to) && !model.servers[to]?.isShared,
    apply: (model, { at, to = 0 }) => moveTo(model, at, to),
  },
  resumeProxy: {
    on: proxies,
    calls: [`DELETE ${ofProxy}/:id/pause`],
    isPossible: (model, { at }) => Boolean(model.records.proxy[at]?.message),
    apply: (model, { at }) => change(model, { of: 'proxy', at }, { message: none }),
  },
  // By their owner, at another place.
  renameElsewhere: {
    on: null,
    calls: [],
    isPossible: (model, { at }) => isThere(model, at),
    apply: (model, { at, name }) => renameServer(model, at, name),
  },
  // To a server whose token somebody else knows it is refused.
  moveElsewhere: {
    on: null,
    moves: true,
    calls: [],
    isPossible: (model, { at, to = 0 }) => canLeave(model, at, to),
    apply: (model, { at, to = 0 }) => {
      if (!model.servers[to]?.isShared) moveTo(model, at, to);
    },
  },
  // By the member of one proxy, of any server.
  readAsMember: {
    on: null,
    calls: [],
    isPossible: (model, { at }) => isThere(model, at) && !model.records.proxy[sharedProxy]?.reason,
    apply: (model, { at }) => {
      if (reachOfMember(model, at) === 'reads') Object.assign(model.servers[at] ?? {}, { isShared: true });
    },
  },
};
