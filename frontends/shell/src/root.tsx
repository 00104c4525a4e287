import { Outlet, ScrollRestoration, useRouteError } from '@talpa/panel-kit/router';
import { ErrorCard } from '@talpa/panel-kit/ui';

/** Around every page: back and forward find each where one left it. */
export function Root() {
  return (
    <>
      <Outlet />
      <ScrollRestoration />
    </>
  );
}

/** What nothing else has caught. The page starts anew: what it was in is not known. */
export function RouteFailure() {
  const error = useRouteError();
  return (
    <main>
      <ErrorCard error={error} retry={() => window.location.reload()} />
    </main>
  );
}
