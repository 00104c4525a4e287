import { hasUnsaved, lazyPage } from '@talpa/panel-kit/core';
import { useBlocker } from '@talpa/panel-kit/router';
import { Suspense, useState } from 'react';

/** Where something is unsaved the forms are loaded already. */
const LeaveDialog = lazyPage(() => import('@talpa/panel-kit/form').then((module) => module.LeaveDialog));

/** Asks before the user leaves a page with something unsaved. A page's own address (tab, search, sort) is no leaving. */
export function LeaveGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => hasUnsaved() && currentLocation.pathname !== nextLocation.pathname,
  );
  const isBlocked = blocker.state === 'blocked';
  const [everBlocked, setEverBlocked] = useState(false);
  if (isBlocked && !everBlocked) setEverBlocked(true);
  // Once there it stays, closed: only so it gives the focus back.
  if (!everBlocked) return null;
  return (
    <Suspense>
      <LeaveDialog open={isBlocked} onStay={() => blocker.reset?.()} onLeave={() => blocker.proceed?.()} />
    </Suspense>
  );
}
