import { z } from 'zod';
import {
  type NotificationContent,
  type NotificationKind,
  type NotificationLevel,
  notificationKindNames,
  notificationKinds,
  notificationTopics,
} from './notifications.ts';
import { typed } from './typed.ts';

/** What an event of the installation is about: what notifications are about, and users themselves. */
export const installationTopics = [...notificationTopics, 'users'] as const;
export type InstallationTopic = (typeof installationTopics)[number];

const proxy = z.object({ proxyId: z.int().positive(), proxy: z.string() });

/** What users are not notified of, because they did it themselves. */
export const ownKinds = {
  user_created: { topic: 'users', level: 'info', params: z.object({}) },
  user_deleted: { topic: 'users', level: 'info', params: z.object({}) },
  proxy_created: { topic: 'proxies', level: 'info', params: proxy },
  proxy_deleted: { topic: 'proxies', level: 'info', params: proxy },
} as const satisfies Record<
  string,
  { topic: InstallationTopic; level: NotificationLevel; params: z.ZodObject }
>;
type OwnKind = keyof typeof ownKinds;
const ownKindNames = Object.keys(ownKinds) as [OwnKind, ...OwnKind[]];

export type InstallationKind = NotificationKind | OwnKind;

const shared = {
  ...notificationKinds,
  new_device: {
    ...notificationKinds.new_device,
    // From where and with what users sign in stays theirs.
    params: notificationKinds.new_device.params.pick({ signedInAt: true }),
  },
};
/** Every kind of event that channels of the installation get. Its texts are in `installation-texts.ts`. */
export const installationKinds: Readonly<
  Record<
    InstallationKind,
    { readonly topic: InstallationTopic; readonly level: NotificationLevel; readonly params: z.ZodObject }
  >
> = { ...shared, ...ownKinds };

/** Whom an event concerns; null: no single user. */
const whose = {
  userId: z.int().positive().nullable(),
  /** Their name then; null: they are gone, or it is not known. */
  user: z.string().nullable(),
};
interface Whose {
  readonly userId: number | null;
  readonly user: string | null;
}

type SharedContent = Exclude<NotificationContent, { kind: 'new_device' }>;
type StrippedContent = {
  readonly kind: 'new_device';
  readonly params: { readonly signedInAt: string };
};
type OwnContent = {
  [K in OwnKind]: { readonly kind: K; readonly params: z.infer<(typeof ownKinds)[K]['params']> };
}[OwnKind];
/** What an event says, before it is text. */
export type InstallationContent = SharedContent | StrippedContent | OwnContent;
export type InstallationEvent = InstallationContent & Whose;

/** Something that has happened to a user or to the installation. What a kind does not name is dropped. */
export const installationEvent = typed<InstallationEvent>(
  z
    .union(
      [...notificationKindNames, ...ownKindNames].map((kind) =>
        z.object({ kind: z.literal(kind), params: installationKinds[kind].params, ...whose }),
      ),
    )
    .meta({ id: 'InstallationEvent' }),
);
