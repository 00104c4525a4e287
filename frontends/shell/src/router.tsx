import { linkPaths, providerPath, unsubscribePath } from '@talpa/contracts/link-paths';
import { lazyPage } from '@talpa/panel-kit/core';
import { createBrowserRouter } from '@talpa/panel-kit/router';
import { ErrorBoundary, Loading } from '@talpa/panel-kit/ui';
import { type ReactNode, Suspense } from 'react';
import { SignInOnItsWay } from './auth/auth-frame.tsx';
import { authPath, forgottenPath, mascotPath } from './paths.ts';
import { SignedOutOnly } from './protected.tsx';
import { RemotePage } from './remote-page.tsx';
import { Root, RouteFailure } from './root.tsx';

/** Loaded when they are opened: a signed-in user needs neither. */
const AuthPage = lazyPage(() => import('./auth/auth-page.tsx').then((module) => module.AuthPage));
const ForgottenPage = lazyPage(() =>
  import('./auth/forgotten-page.tsx').then((module) => module.ForgottenPage),
);
const ResetPage = lazyPage(() => import('./auth/reset-page.tsx').then((module) => module.ResetPage));
const VerifyPage = lazyPage(() => import('./auth/verify-page.tsx').then((module) => module.VerifyPage));
const NotMePage = lazyPage(() => import('./auth/not-me-page.tsx').then((module) => module.NotMePage));
const UnsubscribePage = lazyPage(() =>
  import('./auth/unsubscribe-page.tsx').then((module) => module.UnsubscribePage),
);
const ProviderPage = lazyPage(() => import('./auth/provider-page.tsx').then((module) => module.ProviderPage));
const MascotPage = lazyPage(() => import('./mascot/mascot-page.tsx').then((module) => module.MascotPage));

const loaded = (page: ReactNode, meanwhile: ReactNode = <Loading />) => (
  <ErrorBoundary>
    <Suspense fallback={meanwhile}>{page}</Suspense>
  </ErrorBoundary>
);

/** The public pages are the shell's own; every other address is a remote's page, or nobody's. */
export const router = createBrowserRouter([
  {
    element: <Root />,
    errorElement: <RouteFailure />,
    children: [
      { path: authPath, element: <SignedOutOnly>{loaded(<AuthPage />, <SignInOnItsWay />)}</SignedOutOnly> },
      { path: forgottenPath, element: loaded(<ForgottenPage />) },
      { path: linkPaths.reset_password, element: loaded(<ResetPage />) },
      { path: linkPaths.verify_email, element: loaded(<VerifyPage />) },
      { path: linkPaths.not_me, element: loaded(<NotMePage />) },
      { path: providerPath(':provider'), element: loaded(<ProviderPage />) },
      { path: unsubscribePath, element: loaded(<UnsubscribePage />) },
      { path: mascotPath, element: loaded(<MascotPage />) },
      { path: '*', element: <RemotePage /> },
    ],
  },
]);
