import type { User } from '@talpa/contracts';
import {
  type QueryClient,
  type QueryKey,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import type { ApiError } from './api/api-error.ts';
import { call, type Input } from './api/call.ts';
import { sessionQuery } from './api/queries.ts';
import { useLanguage } from './texts/language.ts';

/** Who uses the panel: not known yet, nobody, somebody, or not to be found out. */
export type Session =
  | { readonly state: 'loading' }
  | { readonly state: 'unknown'; readonly error: ApiError; readonly retry: () => void }
  | { readonly state: 'signedOut' }
  | { readonly state: 'signedIn'; readonly user: User };

const SessionContext = createContext<Session | null>(null);

/** Gives the session to everything inside. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const { data, error, isPending, refetch } = useQuery(sessionQuery);
  const session = useMemo<Session>(() => {
    if (data) return { state: 'signedIn', user: data };
    if (data === null) return { state: 'signedOut' };
    if (isPending) return { state: 'loading' };
    return { state: 'unknown', error: error as ApiError, retry: () => void refetch() };
  }, [data, error, isPending, refetch]);
  useForgetting(data?.id ?? null);
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Another tab may have signed somebody else in: nothing of the one before may be seen. */
function useForgetting(userId: number | null): void {
  const client = useQueryClient();
  const shown = useRef(userId);
  useEffect(() => {
    if (shown.current !== null && userId !== null && shown.current !== userId)
      void client.resetQueries({ predicate: isNotSession });
    shown.current = userId;
  }, [userId, client]);
}

/** The session. Throws outside its provider. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession must be used within a SessionProvider');
  return session;
}

/** The signed-in person. Throws where nobody is: pages behind the sign-in only. */
export function useUser(): User {
  const session = useSession();
  if (session.state !== 'signedIn') throw new Error('useUser must be used behind the sign-in');
  return session.user;
}

let signedOutOnPurpose = false;

/** Whether the last session was ended by signing out, rather than by its expiry. */
export function hasSignedOut(): boolean {
  return signedOutOnPurpose;
}

const isNotSession = ({ queryKey }: { readonly queryKey: QueryKey }) =>
  queryKey[0] !== sessionQuery.queryKey[0];

/** Another person, or nobody: nothing fetched before may be seen. */
function replaceSession(client: QueryClient, user: User | null): void {
  client.removeQueries({ predicate: isNotSession });
  signedOutOnPurpose = user === null;
  client.setQueryData(sessionQuery.queryKey, user);
}

/** Signs in, or creates an account and signs in. */
export function useSignIn<N extends 'POST /api/login' | 'POST /api/register'>(name: N) {
  const client = useQueryClient();
  const language = useLanguage();
  return useMutation<User, ApiError, Input<N>>({
    mutationFn: (input) => call(name, input, { language }),
    onSuccess: (user) => replaceSession(client, user),
  });
}

/** Signs out. */
export function useSignOut() {
  const client = useQueryClient();
  const language = useLanguage();
  return useMutation<null, ApiError>({
    mutationFn: () => call('POST /api/logout', {}, { language }),
    // The live stream may be faster than the answer.
    onMutate: () => {
      signedOutOnPurpose = true;
    },
    onError: () => {
      signedOutOnPurpose = false;
    },
    onSuccess: () => replaceSession(client, null),
  });
}
