import { prefetch, useSession } from '@talpa/panel-kit/core';
import { useLocation, useRoutes } from '@talpa/panel-kit/router';
import { ErrorBoundary, Loading } from '@talpa/panel-kit/ui';
import { pages as userPages } from '@talpa/panel-user/pages';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, use, useEffect } from 'react';
import { Layout } from '../layout/layout.tsx';
import { RequiredFactor } from '../layout/required-factor.tsx';
import { NotFound } from '../not-found.tsx';
import { AdminOnly, Protected, Waiting } from '../protected.tsx';
import { useShellTexts } from '../texts/shell-texts.ts';
import { fetchAhead } from './fetch-ahead.ts';
import { pageAt, remoteOf } from './pages.ts';
import { type RemoteName, remotes } from './remotes.ts';

/** A page of a remote, inside the layout, for whom it is meant. */
export function RemotePage() {
  const { pathname } = useLocation();
  const remote = remoteOf(pathname);
  useEffect(() => {
    // Loads at the same time as the session, not after it. The card shows a failure.
    if (remote === 'user') remotes.user().catch(() => {});
  }, [remote]);
  if (!remote) return <NoPage />;
  const content = <RemoteContent remote={remote} key={remote} />;
  return (
    <Protected>
      <RequiredFactor page={setUpPage}>
        <Layout>{remote === 'admin' ? <AdminOnly>{content}</AdminOnly> : content}</Layout>
      </RequiredFactor>
    </Protected>
  );
}

const setUpPage = <RemoteContent remote="user" at={userPages.secondFactor.path} />;

/** An address without a page: signed-in people keep the menu. */
function NoPage() {
  const session = useSession();
  if (session.state === 'loading') return <Waiting session={session} />;
  if (session.state !== 'signedIn') return <NotFound alone />;
  return (
    <RequiredFactor page={setUpPage}>
      <Layout>
        <NotFound />
      </Layout>
    </RequiredFactor>
  );
}

interface Content {
  readonly remote: RemoteName;
  /** The page that is shown; that of the address when left out. */
  readonly at?: string;
}

/** One that does not load shows a card; the rest goes on. */
function RemoteContent({ remote, at }: Content) {
  const t = useShellTexts();
  const { pathname } = useLocation();
  const client = useQueryClient();
  useEffect(() => prefetch(client, pageAt(at ?? pathname)?.page.reads ?? []), [client, at, pathname]);
  return (
    <ErrorBoundary key={pathname} title={t('remote.title')} text={t('remote.text')}>
      <Suspense fallback={<Loading />}>
        <Routes remote={remote} {...(at ? { at } : {})} />
      </Suspense>
    </ErrorBoundary>
  );
}

function Routes({ remote, at }: Content) {
  const routes = use(remotes[remote]());
  useEffect(() => fetchAhead(remote), [remote]);
  return useRoutes(routes, at);
}
