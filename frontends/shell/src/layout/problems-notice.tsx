import { problemsQuery, useUser } from '@talpa/panel-kit/core';
import { Awaited } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';

/** With the texts of all faults: hardly anybody ever needs them. */
const Problems = lazy(() => import('./problems.tsx').then((module) => ({ default: module.Problems })));

/** Shows administrators on every page what has to be fixed before the tunnel provider works. */
export function ProblemsNotice() {
  const { isAdmin } = useUser();
  const { data: problems = [], isLoading } = useQuery({ ...problemsQuery, enabled: isAdmin });
  if (isLoading) return <Awaited />;
  if (!isAdmin || problems.length === 0) return null;
  return (
    <Suspense fallback={<Awaited />}>
      <Problems problems={problems} />
    </Suspense>
  );
}
