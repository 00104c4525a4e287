import type { User } from '@talpa/contracts';
import type { Language } from '@talpa/contracts/language';
import {
  type QueryClient,
  type QueryKey,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { changedElsewhere, showAccount, signedInHere } from './account-switch.ts';
import type { ApiError } from './api/api-error.ts';
import { call, type Input } from './api/call.ts';
import { sessionQuery } from './api/queries.ts';
import { listenToOtherTabs, notifyOtherTabs, trackSession } from './session-end.ts';
import { useLanguage, useLanguageChange } from './texts/language.ts';
import { dismissToasts } from './toasts.ts';
import { hasUnsaved } from './unsaved.ts';

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
  const owner = useCacheOwner(data === null ? null : data?.id);
  const session = useMemo<Session>(() => {
    if (data && data.id !== owner) return { state: 'loading' };
    if (data) return { state: 'signedIn', user: data };
    if (data === null) return { state: 'signedOut' };
    if (isPending) return { state: 'loading' };
    return { state: 'unknown', error: error as ApiError, retry: () => void refetch() };
  }, [data, owner, error, isPending, refetch]);
  useOtherTabs();
  return <SessionContext value={session}>{children}</SessionContext>;
}

/**
 * Whose data the cache holds. Another tab may have signed somebody else in: nothing of the one before may be seen,
 * so that no page is shown until all of it is forgotten.
 * @param userId null: nobody is signed in; undefined: not known yet, and the cache still holds what it held
 */
function useCacheOwner(userId: number | null | undefined): number | null {
  const client = useQueryClient();
  // Known at the first rendering already: the cache holds no other user's data.
  const [owner, setOwner] = useState<number | null>(userId ?? null);
  useLayoutEffect(() => {
    if (owner !== null) showAccount(owner);
  }, [owner]);
  useLayoutEffect(() => {
    if (userId === undefined || userId === owner) return;
    if (owner !== null) {
      if (userId !== null) dismissToasts();
      client.removeQueries({ predicate: isNotSession });
    }
    setOwner(userId);
  }, [userId, owner, client]);
  return owner;
}

/** The session. Throws outside its provider. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession must be used within a SessionProvider');
  return session;
}

/** The signed-in user. Throws where nobody is: pages behind the sign-in only. */
export function useUser(): User {
  const session = useSession();
  if (session.state !== 'signedIn') throw new Error('useUser must be used behind the sign-in');
  return session.user;
}

const isNotSession = ({ queryKey }: { readonly queryKey: QueryKey }) =>
  queryKey[0] !== sessionQuery.queryKey[0];

/** Another user, or nobody: nothing fetched before may be seen. */
function replaceSession(client: QueryClient, user: User | null): void {
  // Where nobody is known to be signed in the sign-in page may be fetching already: what is removed under its eyes never comes.
  const isKnown = user === null && client.getQueryData(sessionQuery.queryKey) === null;
  if (!isKnown) client.removeQueries({ predicate: isNotSession });
  dismissToasts();
  trackSession(user ? 'signedIn' : 'signedOut');
  client.setQueryData(sessionQuery.queryKey, user);
}

/** What is done about the session in another tab of the browser happens in this one, too. */
function useOtherTabs(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      listenToOtherTabs((change, userId) => {
        const shown = client.getQueryData(sessionQuery.queryKey)?.id;
        if (shown !== undefined && shown !== userId) changedElsewhere(hasUnsaved());
        if (change === 'signedOut') replaceSession(client, null);
        // An open form would be saved for the other account already.
        else if (shown !== userId) void client.resetQueries({ queryKey: sessionQuery.queryKey });
        else void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
      }),
    [client],
  );
}

/** Signs in, or creates an account and signs in. */
export function useSignIn<
  N extends
    | 'POST /api/login'
    | 'POST /api/login/second-factor'
    | 'POST /api/login/passkey'
    | 'POST /api/login/provider'
    | 'POST /api/register/provider'
    | 'POST /api/register',
>(name: N) {
  const client = useQueryClient();
  const language = useLanguage();
  const mutation = useMutation<User, ApiError, Input<N>>({
    mutationFn: (input) => call(name, input, { language }),
    onSuccess: (user) => {
      signedInHere(user.id);
      replaceSession(client, user);
      notifyOtherTabs('signedIn', user.id);
    },
  });
  useLanguageChange(() => {
    if (mutation.isError) mutation.reset();
  });
  return mutation;
}

/** Signs out, in all tabs of the browser. */
export function useSignOut() {
  return useLeave<void>((_nothing, language) => call('POST /api/logout', {}, { language }));
}

/** Deletes the user's own account for good; nobody is signed in afterwards. */
export function useDeleteAccount() {
  return useLeave<Input<'POST /api/user/deletion'>>((input, language) =>
    // A session that is over must not look like a deleted account: see `onError`.
    call('POST /api/user/deletion', input, { language, throwsSignedOut: true }),
  );
}

/** Sets a new password with a reset link; nobody is signed in afterwards. */
export function useResetPassword() {
  return useLeave<Input<'POST /api/password-reset'>>((input, language) =>
    call('POST /api/password-reset', input, { language }),
  );
}

/** A call after which the user is signed out on purpose. */
function useLeave<I>(leave: (input: I, language: Language) => Promise<null>) {
  const client = useQueryClient();
  const language = useLanguage();
  return useMutation<null, ApiError, I>({
    mutationFn: (input) => leave(input, language),
    // The live stream may be faster than the response, here and in the other tabs.
    onMutate: () => {
      trackSession('leaving');
      notifyOtherTabs('leaving');
    },
    onError: () => {
      trackSession('staying');
      notifyOtherTabs('staying');
    },
    onSuccess: () => {
      replaceSession(client, null);
      notifyOtherTabs('signedOut');
    },
  });
}
