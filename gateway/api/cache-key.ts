import type { Msg } from '@nats-io/transport-node';
import type { Actor } from '@talpa/contracts';
import { maximumAgeMs } from '../cache/cache.ts';
import type { CachedResponse } from '../cache/responses.ts';
import type { Requester } from './authenticate.ts';
import { freshUntil, pageOf } from './effects.ts';
import type { Input } from './input.ts';
import type { ApiRoute } from './table.ts';

/** The key under which a response may be cached; null: it may not be cached. */
export function cacheKey(
  route: ApiRoute,
  requester: Omit<Requester, 'assertion'>,
  input: Input,
  language: string,
): string | null {
  const { cached, secret } = route.entry;
  if (!cached || secret) return null;
  const version = cached === 'global' ? requester.globalVersion : requester.ownVersion;
  const owner = cached === 'global' ? 'global' : ownerOf(requester.actor, cached);
  if (version === null || owner === null) return null;
  return `${owner} ${route.name} ${language} ${version} ${JSON.stringify(input)}`;
}

/** A key may see less than its owner: it has responses of its own. */
function ownerOf(actor: Actor | null, cached: 'per-user' | 'per-session') {
  if (!actor) return null;
  if (actor.apiKey) return `key ${actor.apiKey.id}`;
  return cached === 'per-user' ? `user ${actor.userId}` : `session ${actor.sessionId}`;
}

/** A service's response as it is cached. */
export function toCachedResponse({ entry }: Pick<ApiRoute, 'entry'>, message: Msg): CachedResponse {
  return {
    text: message.string(),
    expiresAt: Math.min(freshUntil(message), Date.now() + maximumAgeMs),
    ...(entry.effect === 'page' ? { page: pageOf(message) } : {}),
  };
}
