import { z } from 'zod';
import { entry } from '../entry.ts';

/** Figures about the whole system. */
export const systemRoutes = {
  'GET /api/system/stats': entry({
    summary: 'Totals of proxies and users',
    serve: 'stats.getTotals',
    access: 'user',
    input: z.object({}),
    answer: z.object({
      totalProxies: z.int().min(0),
      /** Those with a connector. */
      activeProxies: z.int().min(0),
      totalUsers: z.int().min(0),
    }),
    errors: ['not_signed_in'],
    cached: 'global',
  }),
} as const;
