import {
  originDefaults,
  type Preferences,
  type ProxyConfig,
  proxyEntries,
  type User,
} from '@talpa/contracts';

/** What is typed of a proxy. What its panel fills in, or few choose, is no part of the walk. */
export const typedEntries = proxyEntries.filter((entry) => !(entry in originDefaults));

/** What the forms of the walk are about. */
export type Kind = 'proxy' | 'user' | 'preferences';
/** A record by its number in the walk's world: the same in every replay, whatever its id is there. */
export interface Subject {
  readonly of: Kind;
  readonly at: number;
}
/** A record's values by field, as its forms show them. */
export type Values = Readonly<Record<string, string>>;

/** Where a value is kept that may not be there. */
export const none = '';

export function valuesOfProxy(proxy: ProxyConfig): Values {
  return {
    ...Object.fromEntries(typedEntries.map((field) => [field, String(proxy[field] ?? none)])),
    reason: proxy.suspension?.reason ?? none,
    // In the walk each pause has one.
    message: proxy.paused?.message ?? none,
  };
}

export function valuesOfUser(user: User): Values {
  return {
    username: user.username,
    subscriptionTier: user.subscriptionTier ?? 'none',
    proxyLimit: String(user.proxyLimit),
    isAdmin: String(user.isAdmin),
    reason: user.suspension?.reason ?? none,
  };
}

export function valuesOfPreferences({ email, notifications, appearance }: Preferences): Values {
  return {
    email,
    'notify.email': String(notifications.email),
    'notify.system': String(notifications.system),
    'notify.maintenance': String(notifications.maintenance),
    theme: appearance.theme,
    accent: appearance.accentColor,
  };
}

export function preferencesOf(values: Values): Preferences {
  const isOn = (kind: 'email' | 'system' | 'maintenance') => values[`notify.${kind}`] === 'true';
  return {
    email: values.email ?? none,
    notifications: { email: isOn('email'), system: isOn('system'), maintenance: isOn('maintenance') },
    appearance: {
      theme: values.theme === 'light' ? 'light' : 'dark',
      accentColor: values.accent as Preferences['appearance']['accentColor'],
    },
  };
}

/** The fields in which two states of a record differ. */
export function changedFields(before: Values, after: Values): string[] {
  return Object.keys(after)
    .filter((field) => (before[field] ?? none) !== after[field])
    .sort();
}
