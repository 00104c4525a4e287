import type { Msg } from '@nats-io/transport-node';
import type { Actor } from '@talpa/contracts';
import { maximumAgeMs } from '../cache/cache.ts';
import type { CachedResponse } from '../cache/responses.ts';
import type { Requester } from './authenticate.ts';
import { freshUntil } from './effects.ts';
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
  const owner = cached === 'global' ? 'global' : ownerOf(requester.actor);
  if (version === null || owner === null) return null;
  return `${owner} ${route.name} ${language} ${version} ${JSON.stringify(input)}`;
}

/** A key may see less than its owner: it has responses of its own. */
const ownerOf = (actor: Actor | null) => actor && (actor.apiKey ? `key ${actor.apiKey.id}` : actor.userId);

/** A service's response as it is cached. */
export function toCachedResponse(message: Msg): CachedResponse {
  return { text: message.string(), expiresAt: Math.min(freshUntil(message), Date.now() + maximumAgeMs) };
}
