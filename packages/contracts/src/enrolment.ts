import { z } from 'zod';
import { panels } from './panels.ts';

const time = z.iso.datetime();

/** The maximum number of keys for new proxies that a user has at the same time, without those that are expired or used up. */
export const enrolmentKeysPerUser = 25;
/** The same of a proxy's or a server's, and of keys for one new proxy each that no machine has used; a newer one replaces the oldest. */
export const enrolmentKeysPerProxy = 5;
/** How long a key lives, in minutes: as the panel suggests, and at most. */
export const suggestedKeyMinutes = 60;
export const longestKeyMinutes = 7 * 24 * 60;
/** The maximum number of machines that one key connects. */
export const mostKeyUses = 100;

/** What lets a machine connect itself, as its creator sees it. The key is shown once, when it is created. */
export const enrolmentKey = z
  .object({
    id: z.int().positive(),
    name: z.string(),
    /** The proxy whose connector it installs; null: each machine gets a new proxy. */
    proxyId: z.int().positive().nullable(),
    /** The server whose connector it installs, which gets the panels that its machine has. */
    serverId: z.int().positive().nullable(),
    /** The panel of new proxies; null: the machine says what it has found. */
    panel: z.enum(panels).nullable(),
    createdAt: time,
    expiresAt: time,
    /** How many machines it connects at most, and how many it has. */
    uses: z.int(),
    used: z.int(),
    /** The proxies of those machines that are still there, by id. */
    connected: z.array(z.int().positive()),
  })
  .meta({ id: 'EnrolmentKey' });
export type EnrolmentKey = z.infer<typeof enrolmentKey>;

/** What a machine needs to run its connector. */
export const enrolment = z
  .object({
    /** Null: its server has none yet. */
    proxyId: z.int().positive().nullable(),
    /** The server that the machine is: one connector for all of its panels. */
    serverId: z.int().positive(),
    /** The public address. */
    url: z.string().nullable(),
    /** Where the connector finds the panel. */
    target: z.string().nullable(),
    /** Whether its connector is connected: the machine asks again until it is. */
    connected: z.boolean(),
    /** On which of its own ports the machine's panels are connected; null: the key adds none. */
    takenPorts: z.array(z.int()).nullable(),
    /** What the connector signs in with. */
    token: z.string(),
  })
  .meta({ id: 'Enrolment' });
export type Enrolment = z.infer<typeof enrolment>;
