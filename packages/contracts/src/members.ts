import { z } from 'zod';
import { memberRoles } from './roles.ts';

const time = z.iso.datetime();
const id = z.int().positive();
/** How long an invitation may be accepted. */
export const invitationDays = 7;
/** A member of a proxy, or an open invitation. */
export const member = z
  .object({
    id,
    /** Null: an invitation. Whether anybody has the name that it is for shows when they accept. */
    userId: id.nullable(),
    /** A member’s present name, null while it is not known; of an invitation the name it is for, null: a link’s. */
    username: z.string().nullable(),
    /** Where the invitation is sent, for readers who may manage members; null: not by email. */
    email: z.string().nullable(),
    role: z.enum(memberRoles),
    /** When the membership ends by itself; null: never. */
    memberUntil: time.nullable(),
    /** When they became a member; null: they are invited. */
    joinedAt: time.nullable(),
    /** Until when the invitation may be accepted; null once it was. */
    invitedUntil: time.nullable(),
    createdAt: time,
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof member>;

/** A proxy's members beside its owner. */
export const members = z
  .object({
    members: z.array(member),
    /** How many the owner's plan allows for each proxy, open invitations included. */
    limit: z.int().min(0),
  })
  .meta({ id: 'Members' });
export type Members = z.infer<typeof members>;

/** A new invitation. Its link is stored nowhere, and no other response has it. */
export const newMember = z
  .object({
    member,
    /** Null: its user sees it in the panel, or gets it by email. */
    link: z
      .object({
        /** The page that accepts it, at the panel's public address (PUBLIC_URL); null where none is set. */
        url: z.url().nullable(),
        /** The same below the panel's address. */
        path: z.string(),
      })
      .nullable(),
  })
  .meta({ id: 'NewMember' });

/** An open invitation as whom it is for sees it. */
export const proxyInvitation = z
  .object({
    id,
    proxyName: z.string(),
    /** The owner's present name; null while it is not known. */
    ownerName: z.string().nullable(),
    role: z.enum(memberRoles),
    memberUntil: time.nullable(),
    invitedUntil: time,
  })
  .meta({ id: 'ProxyInvitation' });
export type ProxyInvitation = z.infer<typeof proxyInvitation>;
