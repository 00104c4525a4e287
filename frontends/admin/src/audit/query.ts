import { type Input, pageQuery } from '@talpa/panel-kit/core';

/** A page of the trail; rows come at any time, so it is fetched again whenever it is opened. */
export const auditQuery = (input: Input<'GET /api/admin/audit'>) => ({
  ...pageQuery('GET /api/admin/audit', input, { language: 'de' }),
  refetchOnMount: 'always' as const,
});
