import { z } from 'zod';
import { entry } from '../entry.ts';
import { eventStream, liveMessage } from '../live.ts';

/** What has changed, as it happens. */
export const liveRoutes = {
  'GET /api/events': entry({
    summary: 'What changes, as it happens (server-sent events); the first message is `resync`: fetch again',
    serve: 'gateway.streamEvents',
    access: 'user',
    input: z.object({}),
    answer: liveMessage,
    media: eventStream,
    errors: ['not_signed_in'],
  }),
} as const;
