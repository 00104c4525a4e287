import { z } from 'zod';
import { entry } from '../entry.ts';
import { eventStream, liveMessage } from '../live.ts';

/** What has changed, as it happens. */
export const liveRoutes = {
  'GET /api/events': entry({
    summary: 'Stream changes as server-sent events; the first message is `refetch`, which means: fetch again',
    procedure: 'gateway.streamEvents',
    access: 'user',
    scope: null,
    input: z.object({}),
    response: liveMessage,
    media: eventStream,
    // The gateway then sends what is of their account alone.
    withoutFactor: true,
    errors: ['not_signed_in'],
  }),
} as const;
