import { z } from 'zod';
import { totals } from '../entities.ts';
import { entry } from '../entry.ts';

/** Figures about the whole system. */
export const systemRoutes = {
  'GET /api/system/stats': entry({
    summary:
      'Get the total numbers of proxies and users; refused where the operator keeps them to themselves',
    procedure: 'stats.getTotals',
    access: 'user',
    scope: 'account:read',
    input: z.object({}),
    response: totals,
    errors: ['not_signed_in', 'forbidden'],
    cached: 'global',
  }),
} as const;
