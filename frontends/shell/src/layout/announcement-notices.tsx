import { lazyPage, unreadCountQuery } from '@talpa/panel-kit/core';
import { Awaited, ErrorBoundary } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';

const AnnouncementNotice = lazyPage(() =>
  import('./announcement-notice.tsx').then((module) => module.AnnouncementNotice),
);

/** Announcements are notifications: without unread notifications nothing is requested. */
export function AnnouncementNotices() {
  const { data, isLoading } = useQuery(unreadCountQuery);
  if (isLoading) return <Awaited />;
  if (!data?.unread) return null;
  return (
    <ErrorBoundary>
      <Suspense fallback={<Awaited />}>
        <AnnouncementNotice />
      </Suspense>
    </ErrorBoundary>
  );
}
