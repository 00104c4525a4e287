import { z } from 'zod';
import { tiers } from './plans.ts';

/** Who may register: everyone, users with an invitation, no one. */
export const registrationModes = ['open', 'invite', 'closed'] as const;
export type RegistrationMode = (typeof registrationModes)[number];

export const invitationCodeLength = 12;

const time = z.iso.datetime();

/** `used_up`: as often as it may be. */
export const invitationStates = ['open', 'used_up', 'expired', 'revoked'] as const;

/** Something that lets people register, as administrators see it. Its code is shown to nobody a second time. */
export const invitation = z
  .object({
    id: z.int().positive(),
    state: z.enum(invitationStates),
    /** The plan that comes with it; null: none. */
    tier: z.enum(tiers).nullable(),
    /** How long that plan lasts; null: without end. */
    months: z.int().positive().nullable(),
    /** How often it may be used, and was. */
    uses: z.int().positive(),
    used: z.int().min(0),
    expiresAt: time.nullable(),
    note: z.string(),
    createdAt: time,
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof invitation>;

/** A new invitation with its code, which is stored nowhere. */
export const newInvitation = z
  .object({
    invitation,
    code: z.string(),
    /** The sign-in page with the code filled in, at the panel's public address (PUBLIC_URL); null where none is set. */
    url: z.url().nullable(),
    /** The same below the panel's address. */
    path: z.string(),
  })
  .meta({ id: 'NewInvitation' });

/** Somebody who has registered with an invitation. */
export const invitedUser = z
  .object({ id: z.int().positive(), username: z.string(), at: time })
  .meta({ id: 'InvitedUser' });
