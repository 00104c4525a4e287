/** What an API key may do. Each route names the one that opens it, or none. */
export const scopes = [
  'proxies:read',
  'proxies:write',
  'tunnel-token:read',
  'account:read',
  'admin:users',
  'admin:proxies',
  'admin:invitations',
  'admin:announcements',
  'admin:audit',
  'admin:mails',
  'admin:system',
] as const;
export type Scope = (typeof scopes)[number];

/** Whether only keys of administrators may have it. */
export const isAdminScope = (scope: Scope): boolean => scope.startsWith('admin:');
