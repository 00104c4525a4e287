import { lazyPage } from '@talpa/panel-kit/core';
import { createBrowserRouter } from '@talpa/panel-kit/router';
import { ErrorBoundary, Loading } from '@talpa/panel-kit/ui';
import { Suspense } from 'react';
import { authPath } from './paths.ts';
import { SignedOutOnly } from './protected.tsx';
import { RemotePage } from './remotes/remote-page.tsx';

/** Who is signed in already need not load the forms. */
const AuthPage = lazyPage(() => import('./auth/auth-page.tsx').then((module) => module.AuthPage));

/** The sign-in page is the shell's own; every other address is a remote's page, or nobody's. */
export const router = createBrowserRouter([
  {
    path: authPath,
    element: (
      <SignedOutOnly>
        <ErrorBoundary>
          <Suspense fallback={<Loading />}>
            <AuthPage />
          </Suspense>
        </ErrorBoundary>
      </SignedOutOnly>
    ),
  },
  { path: '*', element: <RemotePage /> },
]);
