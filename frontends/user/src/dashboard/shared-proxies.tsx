import { lazyPage, proxyInvitationsQuery, sharedProxiesQuery } from '@talpa/panel-kit/core';
import { Awaited, LazyPart, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';

// With the parts of lists they need: most users have neither.
const InvitationsPanel = lazyPage(() =>
  import('../members/invitations-panel.tsx').then((module) => module.InvitationsPanel),
);
const SharedPanel = lazyPage(() =>
  import('../members/shared-panel.tsx').then((module) => module.SharedPanel),
);

/** What the user is invited to; nothing while there is nothing. */
export function Invitations() {
  const { data, isLoading } = useQuery(proxyInvitationsQuery);
  if (isLoading) return <Awaited />;
  if (!data || data.length === 0) return null;
  return (
    <LazyPart
      fallback={
        <Panel>
          <Skeleton active paragraph={{ rows: 3 }} />
        </Panel>
      }
    >
      <InvitationsPanel />
    </LazyPart>
  );
}

/** The proxies that the user is a member of; nothing while there is none. */
export function SharedProxies() {
  const { data, isError, isLoading } = useQuery(sharedProxiesQuery);
  if (isLoading) return <Awaited />;
  if (!isError && (!data || data.length === 0)) return null;
  return (
    <LazyPart>
      <SharedPanel />
    </LazyPart>
  );
}
