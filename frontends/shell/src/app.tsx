import {
  preferencesQuery,
  SessionProvider,
  setAppearance,
  useFocusKeeper,
  useLiveUpdates,
  useSession,
} from '@talpa/panel-kit/core';
import { RouterProvider } from '@talpa/panel-kit/router';
import { ErrorBoundary, ThemeProvider } from '@talpa/panel-kit/ui';
import { type QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { router } from './router.tsx';
import { Toaster } from './toaster/toaster.tsx';

/** Everything the remotes find around them: cache, session, theme, language, toasts, router. */
export function App({ queries }: { readonly queries: QueryClient }) {
  return (
    <QueryClientProvider client={queries}>
      <SessionProvider>
        <ThemeProvider>
          <Toaster>
            <ErrorBoundary>
              <StoredAppearance />
              <LiveUpdates />
              <RouterProvider router={router} />
            </ErrorBoundary>
          </Toaster>
        </ThemeProvider>
      </SessionProvider>
    </QueryClientProvider>
  );
}

/** Applies the theme and accent a user has saved, once they are known. */
function StoredAppearance() {
  const session = useSession();
  const { data } = useQuery({ ...preferencesQuery, enabled: session.state === 'signedIn' });
  useEffect(() => {
    if (data) setAppearance(data.appearance);
  }, [data]);
  return null;
}

/** Keeps what is shown up to date with what happens elsewhere. */
function LiveUpdates() {
  useLiveUpdates();
  useFocusKeeper();
  return null;
}
