import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { useNow } from '../now.ts';
import { useSession } from '../session.tsx';
import { trackSession } from '../session-end.ts';
import { rememberDeleted } from './deleted.ts';
import { createInvalidator, invalidatedQueries, planQueries } from './invalidation.ts';
import { shareStream } from './share.ts';

let isLive = false;
/** Since when no message can arrive, in ms; null while it is, or nobody is signed in. */
let silentSince: number | null = null;
const watchers = new Set<() => void>();

function setLive(next: boolean): void {
  isLive = next;
  if (next) silentSince = null;
  else silentSince ??= Date.now();
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Whether changes made elsewhere come by themselves now; else the user may have to look for them. */
export function useIsLive(): boolean {
  return useSyncExternalStore(watch, () => isLive);
}

/** A stream that breaks is mostly back at once: what is shown counts as old only later, in ms. */
const graceMs = 10_000;

/** Since when what is shown may be out of date, because no message can arrive; null while it is not. */
export function useStaleSince(): string | null {
  const since = useSyncExternalStore(watch, () => silentSince);
  const now = useNow();
  return since !== null && now - since >= graceMs ? new Date(since).toISOString() : null;
}

/** Keeps what is shown up to date with what happens elsewhere, for the signed-in user. Once in the panel. */
export function useLiveUpdates(): void {
  const session = useSession();
  const user = session.state === 'signedIn' ? session.user : null;
  useStream(user?.id ?? null);
  useExpiry(user?.subscriptionExpiry ?? null);
}

function useStream(userId: number | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (userId === null) return;
    const refetch = createInvalidator(client);
    let wasLive = false;
    setLive(false);
    const leave = shareStream(
      userId,
      {
        message: (message) => {
          if (message.type === 'sessionEnded') trackSession('ended');
          rememberDeleted(message);
          const queries = invalidatedQueries(message);
          if (queries) refetch.these(queries);
          else refetch.all(wasLive);
        },
        live: (next) => {
          // What was fetched before we listened may be out of date already.
          if (next && !isLive) refetch.all(wasLive);
          wasLive ||= next;
          setLive(next);
        },
      },
      () => refetch.these([sessionQuery]),
    );
    return () => {
      leave();
      refetch.stop();
      setLive(false);
      silentSince = null;
    };
  }, [userId, client]);
}

/** The longest a browser's timer can be set to, in ms. */
const longestTimerMs = 2 ** 31 - 1;

/** A plan that runs out is no event: it is so from that moment on. */
function useExpiry(expiry: string | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (expiry === null) return;
    const delay = new Date(expiry).getTime() - Date.now();
    if (delay > longestTimerMs) return;
    const refetch = createInvalidator(client);
    const timer = setTimeout(() => refetch.these(planQueries), Math.max(0, delay));
    return () => {
      clearTimeout(timer);
      refetch.stop();
    };
  }, [expiry, client]);
}
