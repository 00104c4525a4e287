import { hasUnsaved, lazyPage } from '@talpa/panel-kit/core';
import { type Location, useBlocker } from '@talpa/panel-kit/router';
import { Suspense, useState } from 'react';

/** Where something is unsaved the forms are loaded already. */
const LeaveDialog = lazyPage(() => import('@talpa/panel-kit/form').then((module) => module.LeaveDialog));

const tabOf = ({ search }: Location) => new URLSearchParams(search).get('tab');

/** Asks before the user leaves a page, or its tab, with something unsaved there. What else its address says (search, sort) is no leaving. */
export function LeaveGuard() {
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to }) =>
    from.pathname === to.pathname ? tabOf(from) !== tabOf(to) && hasUnsaved('tab') : hasUnsaved(),
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
