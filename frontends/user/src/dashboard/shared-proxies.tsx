import { proxyInvitationsQuery, sharedProxiesQuery } from '@talpa/panel-kit/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';

// With the parts of lists they need: most users have neither.
const InvitationsPanel = lazy(() =>
  import('../members/invitations-panel.tsx').then((module) => ({ default: module.InvitationsPanel })),
);
const SharedPanel = lazy(() =>
  import('../members/shared-panel.tsx').then((module) => ({ default: module.SharedPanel })),
);

/** What the user is invited to; nothing while there is nothing. */
export function Invitations() {
  const { data } = useQuery(proxyInvitationsQuery);
  if (!data || data.length === 0) return null;
  return (
    <Suspense>
      <InvitationsPanel />
    </Suspense>
  );
}

/** The proxies that the user is a member of; nothing while there is none. */
export function SharedProxies() {
  const { data, isError } = useQuery(sharedProxiesQuery);
  if (!isError && (!data || data.length === 0)) return null;
  return (
    <Suspense>
      <SharedPanel />
    </Suspense>
  );
}
