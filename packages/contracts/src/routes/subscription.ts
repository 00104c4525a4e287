import { z } from 'zod';
import { subscription } from '../entities.ts';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import { tiers } from '../plans.ts';

/** The user's plan and what it allows. */
export const subscriptionRoutes = {
  'GET /api/user/subscription': entry({
    summary: 'Get your plan',
    procedure: 'billing.getSubscription',
    access: 'user',
    scope: 'account:read',
    input: z.object({}),
    response: subscription,
    errors: ['not_signed_in'],
    cached: 'per-user',
  }),
  'POST /api/user/subscription': entry({
    summary: 'Change your plan, or renew it in its last days',
    procedure: 'billing.changePlan',
    access: 'user',
    scope: null,
    audit: 'subscription.change',
    input: z.object({
      planId: z.enum(tiers),
      expected: z.object({ tier: z.enum(tiers).nullable(), expiry: fields.moment.nullable() }).optional(),
    }),
    response: subscription,
    idempotent: true,
    errors: [
      'idempotency_key_reused',
      'not_signed_in',
      'account_suspended',
      'email_unverified',
      'plan_changes_closed',
      'same_plan',
      'edit_conflict',
    ],
  }),
  'GET /api/user/subscription/can-create-proxy': entry({
    summary: 'Check whether you can create another proxy',
    procedure: 'proxies.canCreateProxy',
    access: 'user',
    scope: 'proxies:read',
    input: z.object({}),
    response: z.object({ canCreate: z.boolean(), limit: z.int().min(0), current: z.int().min(0) }),
    errors: ['not_signed_in'],
    cached: 'per-user',
  }),
} as const;
