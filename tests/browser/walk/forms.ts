import { type Kind, typedEntries } from './records.ts';

export type PlaceName =
  | 'home'
  | 'proxies'
  | 'proxy'
  /** The tab of a proxy's page that has its domains. */
  | 'proxyDomains'
  | 'server'
  | 'settings'
  | 'plans'
  | 'users'
  | 'user'
  | 'allProxies'
  | 'invitations';
export type SettingsTab = 'account' | 'security' | 'notifications' | 'appearance';
/** A page of the panel: of a record by its number, of the settings by its tab. */
export interface Place {
  readonly name: PlaceName;
  readonly at?: number;
  readonly tab?: SettingsTab;
}

export const isSamePlace = (one: Place, other: Place) =>
  one.name === other.name && one.at === other.at && one.tab === other.tab;
/** A tab of the settings is no other page: they are one form. */
export const isSamePage = (one: Place, other: Place) => one.name === other.name && one.at === other.at;
/** The administrators' pages speak German, whatever the panel speaks. */
export const isGerman = ({ name }: Place) => ['users', 'user', 'allProxies', 'invitations'].includes(name);

export type FormName =
  | 'createProxy'
  | 'editProxy'
  | 'suspendProxy'
  | 'pauseProxy'
  | 'addDomain'
  | 'createUser'
  | 'editUser'
  | 'suspendUser'
  | 'createInvitation'
  | 'settings'
  /** The dialogs without fields. */
  | 'install'
  | 'invitationCode'
  | 'payment';

interface FormKind {
  readonly of: Kind | null;
  readonly fields: readonly string[];
  /** The only call it may send. */
  readonly call: string | null;
  /** The pages it is opened from. */
  readonly on: readonly PlaceName[];
}

const userFields = ['username', 'password', 'subscriptionTier', 'proxyLimit', 'isAdmin'];
const ofProxy = '/api/tunnel-configs';
const ofUser = '/api/admin/users';

/** Every form of the walk. */
export const forms: Readonly<Record<FormName, FormKind>> = {
  createProxy: {
    of: null,
    // The server's address has a default, and is not shown.
    fields: typedEntries.filter((field) => field !== 'serverIP'),
    call: `POST ${ofProxy}`,
    on: ['proxies'],
  },
  editProxy: {
    of: 'proxy',
    fields: typedEntries,
    call: `PUT ${ofProxy}/:id`,
    on: ['proxies', 'proxy', 'allProxies'],
  },
  suspendProxy: {
    of: 'proxy',
    fields: ['reason'],
    call: 'POST /api/admin/tunnel-configs/:id/suspension',
    on: ['proxy', 'allProxies'],
  },
  pauseProxy: {
    of: 'proxy',
    fields: ['message'],
    call: `PUT ${ofProxy}/:id/pause`,
    on: ['proxies', 'allProxies'],
  },
  addDomain: { of: null, fields: ['host'], call: `POST ${ofProxy}/:id/domains`, on: ['proxyDomains'] },
  createUser: { of: null, fields: userFields, call: `POST ${ofUser}`, on: ['users'] },
  editUser: { of: 'user', fields: userFields, call: `PUT ${ofUser}/:id`, on: ['users', 'user'] },
  suspendUser: {
    of: 'user',
    fields: ['reason'],
    call: `POST ${ofUser}/:id/suspension`,
    on: ['users', 'user'],
  },
  createInvitation: {
    of: null,
    fields: ['note', 'subscriptionTier', 'uses'],
    call: 'POST /api/admin/invitations',
    on: ['invitations'],
  },
  settings: {
    of: 'preferences',
    fields: ['email', 'notify.email', 'notify.system', 'notify.maintenance', 'theme', 'accent'],
    call: 'POST /api/user/preferences',
    on: [],
  },
  install: { of: null, fields: [], call: null, on: [] },
  invitationCode: { of: null, fields: [], call: null, on: [] },
  payment: { of: null, fields: [], call: null, on: ['plans'] },
};

/** On which tab of the settings a field stands. */
export function settingsTabOf(field: string): SettingsTab {
  if (field === 'email') return 'account';
  return field.startsWith('notify.') ? 'notifications' : 'appearance';
}

/** The visible fields. */
export function shownFields(form: FormName, place: Place): readonly string[] {
  const { fields } = forms[form];
  return form === 'settings' ? fields.filter((field) => settingsTabOf(field) === place.tab) : fields;
}

/** What a form starts with that makes something new. */
export const fresh: Readonly<Partial<Record<FormName, Readonly<Record<string, string>>>>> = {
  createProxy: {
    ...Object.fromEntries(typedEntries.map((field) => [field, ''])),
    serverIP: '127.0.0.1',
    adminPort: '40120',
  },
  addDomain: { host: '' },
  createUser: {
    username: '',
    password: '',
    subscriptionTier: 'none',
    proxyLimit: '0',
    isAdmin: 'false',
  },
  createInvitation: { note: '', subscriptionTier: 'none', uses: '1' },
};
