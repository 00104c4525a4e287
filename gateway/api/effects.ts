import type { Msg } from '@nats-io/transport-node';
import type { Entry } from '@talpa/contracts';
import { busHeaders } from '@talpa/service-kit/bus/message';
import type { FastifyReply } from 'fastify';
import type { Page } from '../cache/responses.ts';
import type { Headers } from '../security/headers.ts';
import type { Sessions } from '../session/sessions.ts';

/** The only place where a verb's effect becomes HTTP: its message headers, mapped to our headers. */
export function applyEffect(entry: Entry, message: Msg, reply: FastifyReply, sessions: Sessions): void {
  if (entry.effect === 'page') reply.headers(pageHeaders(entry, reply.request.url, pageOf(message)));
  if (entry.effect === 'signOut') reply.header('set-cookie', sessions.cookie.clear);
  if (entry.effect === 'signIn') {
    const jwt = message.headers?.get(busHeaders.session) ?? '';
    const session = sessions.verify(jwt);
    if (!session) throw new Error('a sign-in returned without a session of ours');
    reply.header('set-cookie', sessions.cookie.set(jwt, session.expiresAt));
  }
}

/** What a service says about a page of a list. */
export function pageOf({ headers }: Pick<Msg, 'headers'>): Page {
  return {
    next: headers?.get(busHeaders.nextPage) || undefined,
    total: headers?.get(busHeaders.total) || undefined,
  };
}

/** The headers that say how a list goes on, and how long it is. @param url of the request, with its query */
export function pageHeaders(entry: Entry, url: string, { next, total }: Page): Headers {
  return {
    ...(next ? { link: `<${withCursor(entry, url, next)}>; rel="next"` } : {}),
    ...(total ? { 'x-total-count': total } : {}),
  };
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
