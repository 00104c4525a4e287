import {
  Administration,
  loadOnce,
  panelConfig,
  prefetch,
  sessionQuery,
  useHeadOf,
  useSession,
  useUser,
} from '@talpa/panel-kit/core';
import { type PageDeclaration, readsOf } from '@talpa/panel-kit/pages';
import { useLocation, useRoutes } from '@talpa/panel-kit/router';
import { ErrorBoundary, GermanOnly, LazyPart, Loading, Page } from '@talpa/panel-kit/ui';
import { pages as userPages } from '@talpa/panel-user/pages';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, use, useEffect } from 'react';
import { Layout } from './layout/layout.tsx';
import { RequiredFactor } from './layout/required-factor.tsx';
import { NotFound } from './not-found.tsx';
import { AdminOnly, Protected, Waiting } from './protected.tsx';
import { fetchAhead } from './remotes/fetch-ahead.ts';
import { pageAt, remoteOf } from './remotes/pages.ts';
import { type RemoteName, remotes } from './remotes/remotes.ts';
import { useShellTexts } from './texts/shell-texts.ts';

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

/** An address without a page: signed-in users keep the menu. */
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
  const page = pageAt(at ?? pathname)?.page;
  useEffect(() => prefetch(client, page ? readsOf(page, panelConfig()) : []), [client, page]);
  // Only administrators get the files of theirs: the new session leads a user away who is none any more, and says so.
  const mayReloadHelp = async () => {
    if (remote !== 'admin') return true;
    await client.refetchQueries({ queryKey: sessionQuery.queryKey });
    return client.getQueryData(sessionQuery.queryKey)?.isAdmin ?? true;
  };
  const { isAdmin } = useUser();
  const isAdministrators = isAdmin && pathname === userPages.dashboard.path;
  const routes = <Routes remote={remote} {...(at ? { at } : {})} />;
  return (
    <ErrorBoundary
      key={pathname}
      title={t('remote.title')}
      text={t('remote.text')}
      mayReloadHelp={mayReloadHelp}
    >
      <Suspense fallback={<PageOnItsWay remote={remote} page={page} />}>
        {isAdministrators ? <WithAdministration>{routes}</WithAdministration> : routes}
      </Suspense>
    </ErrorBoundary>
  );
}

/** The head of a page whose code is being loaded. That of a record is known once the record is. */
function PageOnItsWay(props: { readonly remote: RemoteName; readonly page: PageDeclaration | undefined }) {
  const { remote, page } = props;
  if (!page || page.path.includes(':')) return <Loading />;
  return remote === 'admin' ? (
    <GermanOnly>
      <EmptyPage page={page} />
    </GermanOnly>
  ) : (
    <EmptyPage page={page} />
  );
}

function EmptyPage({ page }: { readonly page: PageDeclaration }) {
  return (
    <Page {...useHeadOf(page)} isBusy>
      <Loading />
    </Page>
  );
}

type Part = 'SetUp' | 'Overview';

/**
 * What the admin remote has for the dashboard, all of it before the page shows: what came later would move what one
 * reads. A part that cannot be loaded says so in its place.
 */
const loadAdministration = loadOnce(async () => {
  const loaded = remotes.admin().then((parts) => [parts.SetUp?.loadAhead(), parts.Overview?.loadAhead()]);
  await loaded.then((parts) => Promise.all(parts)).catch(() => {});
  return { first: <AdminPart part="SetUp" />, last: <AdminPart part="Overview" /> };
});

function WithAdministration({ children }: { readonly children: ReactNode }) {
  return <Administration value={use(loadAdministration())}>{children}</Administration>;
}

function AdminPart({ part }: { readonly part: Part }) {
  return (
    <GermanOnly>
      <LazyPart>
        <LoadedPart part={part} />
      </LazyPart>
    </GermanOnly>
  );
}

function LoadedPart({ part }: { readonly part: Part }) {
  const { [part]: Shown } = use(remotes.admin());
  return Shown ? <Shown /> : null;
}

function Routes({ remote, at }: Content) {
  const { routes } = use(remotes[remote]());
  useEffect(() => fetchAhead(remote), [remote]);
  return useRoutes(routes, at);
}
