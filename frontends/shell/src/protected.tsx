import { type Session, signInProvidersQuery, useSession } from '@talpa/panel-kit/core';
import { Navigate, useLocation } from '@talpa/panel-kit/router';
import { ErrorCard, Loading } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { SignInOnItsWay } from './auth/auth-frame.tsx';
import { NotFound } from './not-found.tsx';
import { authPath } from './paths.ts';
import styles from './protected.module.css';
import { forgetReturn, returnPath, setUser, wentAway } from './return.ts';

/** While it is not known who uses the panel. */
export function Waiting({ session }: { readonly session: Session }) {
  return (
    <main className={styles.waiting}>
      {session.state === 'unknown' ? (
        <ErrorCard isPage error={session.error} retry={session.retry} />
      ) : (
        <>
          <h1 className={styles.heading}>Talpa</h1>
          <Loading />
        </>
      )}
    </main>
  );
}

/** For signed-in users; others are sent to sign in, and back here afterwards. */
export function Protected({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const { pathname, search, hash } = useLocation();
  const userId = session.state === 'signedIn' ? session.user.id : null;
  useEffect(() => {
    if (userId !== null) setUser(userId);
  }, [userId]);
  if (session.state === 'signedIn') return children;
  if (session.state === 'signedOut') {
    wentAway(`${pathname}${search}${hash}`);
    return <Navigate to={authPath} replace />;
  }
  return <Waiting session={session} />;
}

/** The sign-in page: signed-in users are sent back. */
export function SignedOutOnly({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  if (session.state === 'signedIn') return <SentBack userId={session.user.id} />;
  return <OnceProvidersAreKnown session={session}>{children}</OnceProvidersAreKnown>;
}

/** The form appears with all of its buttons: one that appeared later would move another one away from under the pointer. */
function OnceProvidersAreKnown({
  session,
  children,
}: {
  readonly session: Session;
  readonly children: ReactNode;
}) {
  const { isFetched } = useQuery(signInProvidersQuery);
  if (session.state !== 'signedOut') return <Waiting session={session} />;
  return isFetched ? children : <SignInOnItsWay />;
}

/** Back to where somebody was before they signed in. */
export function SentBack({ userId }: { readonly userId: number }) {
  // Once: a second rendering would find it forgotten.
  const [target] = useState(() => returnPath(userId));
  useEffect(() => forgetReturn(), []);
  return <Navigate to={target} replace />;
}

/** For other users these pages do not exist; a user who ceases to be an administrator on one is led away. */
export function AdminOnly({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const isAdmin = session.state === 'signedIn' && session.user.isAdmin;
  const [wasAdmin, setWasAdmin] = useState(isAdmin);
  if (isAdmin && !wasAdmin) setWasAdmin(true);
  if (isAdmin) return children;
  return wasAdmin ? <Navigate to="/" replace /> : <NotFound />;
}
