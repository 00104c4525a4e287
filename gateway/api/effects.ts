import type { Msg } from '@nats-io/transport-node';
import type { Entry } from '@talpa/contracts';
import { busHeaders } from '@talpa/service-kit/bus/message';
import type { FastifyReply } from 'fastify';
import type { Sessions } from '../session/sessions.ts';

/** The only place where a verb's effect becomes HTTP: its message headers, mapped to our headers. */
export function applyEffect(entry: Entry, message: Msg, reply: FastifyReply, sessions: Sessions): void {
  if (entry.effect === 'page') {
    const next = message.headers?.get(busHeaders.nextPage);
    if (next) reply.header('link', `<${withCursor(entry, reply.request.url, next)}>; rel="next"`);
    const total = message.headers?.get(busHeaders.total);
    if (total) reply.header('x-total-count', total);
  }
  if (entry.effect === 'signOut') reply.header('set-cookie', sessions.cookie.clear);
  if (entry.effect === 'signIn') {
    const jwt = message.headers?.get(busHeaders.session) ?? '';
    const session = sessions.verify(jwt);
    if (!session) throw new Error('a sign-in returned without a session of ours');
    reply.header('set-cookie', sessions.cookie.set(jwt, session.expiresAt));
  }
}

/** The same list from another place on; what the entry does not know does not come back. */
function withCursor(entry: Entry, url: string, cursor: string): string {
  const [path, query] = url.split('?', 2);
  const asked = [...new URLSearchParams(query)].filter(([name]) => Object.hasOwn(entry.input.shape, name));
  const params = new URLSearchParams(asked);
  params.set('cursor', cursor);
  return `${path}?${params}`;
}

/** When a verb's response expires, in ms since the epoch; never, where the verb does not say. */
export function freshUntil(message: Msg): number {
  const time = message.headers?.get(busHeaders.freshUntil);
  return time ? Date.parse(time) : Number.POSITIVE_INFINITY;
}
