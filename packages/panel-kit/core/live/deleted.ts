import type { LiveMessage } from '@talpa/contracts';

const deleted = new Set<number>();

/** Remembers which proxies are gone for all users: the API says of them what it says of those that a reader may not see any more. */
export function rememberDeleted(message: LiveMessage): void {
  if (message.type === 'proxy' && message.change === 'deleted') deleted.add(message.id);
}

/** Whether a live message said that a proxy was deleted. */
export const wasDeleted = (proxyId: number): boolean => deleted.has(proxyId);
