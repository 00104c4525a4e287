import { z } from 'zod';
import { wallMethods } from './access-policy.ts';
import { agentFamilies } from './request-kinds.ts';

/** So many visits of a proxy are listed, the newest. */
export const mostListedVisits = 100;

/** Somebody who has passed the wall of a proxy and is still in. */
export const visit = z
  .object({
    id: z.uuid(),
    /** How they have passed; `owner`: signed in at Talpa as the owner or an administrator. */
    methods: z.array(z.enum([...wallMethods, 'owner'])),
    /** Who signed in at Talpa, with their present name; null: nobody did, or the name is not known. */
    userId: z.int().positive().nullable(),
    username: z.string().nullable(),
    /** The address to which the code was sent that they entered; null: they entered none. */
    email: z.string().nullable(),
    /** They passed because they are an administrator. */
    isAdmin: z.boolean(),
    /** The network of the address that they came from. */
    network: z.string(),
    agent: z.enum(agentFamilies),
    createdAt: z.iso.datetime(),
    endsAt: z.iso.datetime(),
  })
  .meta({ id: 'Visit' });
export type Visit = z.infer<typeof visit>;

/** The visits of a proxy. */
export const visits = z
  .object({
    visits: z.array(visit).max(mostListedVisits),
    /** How many there are, those that are not listed included. */
    count: z.int().min(0),
  })
  .meta({ id: 'Visits' });
