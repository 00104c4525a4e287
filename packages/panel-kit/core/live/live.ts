import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { useSession } from '../session.tsx';
import { noteSession } from '../session-end.ts';
import { createRefetch, outdatedBy, planQueries } from './outdated.ts';
import { shareStream } from './share.ts';

let isLive = false;
const watchers = new Set<() => void>();

function setLive(next: boolean): void {
  isLive = next;
  for (const watcher of watchers) watcher();
}

/** Whether changes made elsewhere come by themselves now; else one may have to look for them. */
export function useIsLive(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => isLive,
  );
}

/** Keeps what is shown up to date with what happens elsewhere, for whoever is signed in. Once in the panel. */
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
    const refetch = createRefetch(client);
    let wasLive = false;
    const leave = shareStream(
      userId,
      {
        message: (message) => {
          if (message.type === 'sessionEnded') noteSession('ended');
          const queries = outdatedBy(message);
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
    const refetch = createRefetch(client);
    const timer = setTimeout(() => refetch.these(planQueries), Math.max(0, delay));
    return () => {
      clearTimeout(timer);
      refetch.stop();
    };
  }, [expiry, client]);
}
