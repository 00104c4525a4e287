import type { RouteName } from '@talpa/contracts';
import {
  type QueryClient,
  type QueryKey,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { inThisSession } from '../session-end.ts';
import { useLanguage } from '../texts/language.ts';
import type { ApiError } from './api-error.ts';
import { type CallOptions, call, type Input, type ResponseBody } from './call.ts';
import {
  adminAnnouncementsKey,
  adminChannelsQuery,
  adminInvitationsQuery,
  adminMailsKey,
  adminProxiesQuery,
  adminUsersQuery,
  canCreateQuery,
  certificatesQuery,
  enrolmentKeysQuery,
  notificationsKey,
  ownApiKeysQuery,
  ownAuditQuery,
  ownChannelsKey,
  ownEmailQuery,
  ownIdentitiesQuery,
  ownPasskeysQuery,
  ownSessionsQuery,
  preferencesQuery,
  proxiesQuery,
  proxyInvitationsQuery,
  secondFactorQuery,
  serversQuery,
  sessionQuery,
  sharedProxiesQuery,
  statsQuery,
  subscriptionQuery,
  unreadCountQuery,
} from './queries.ts';

export type MutationName = Exclude<RouteName, `GET ${string}`>;

const sharing = [sharedProxiesQuery, proxyInvitationsQuery];
const proxyLists = [
  proxiesQuery,
  serversQuery,
  sharedProxiesQuery,
  canCreateQuery,
  statsQuery,
  adminProxiesQuery,
];
const userLists = [adminUsersQuery, statsQuery];

/** What each change makes out of date. Signing in and out replaces everything: see `session.tsx`. */
const invalidates: Readonly<Record<MutationName, readonly { readonly queryKey: QueryKey }[]>> = {
  'POST /api/tunnel-configs': proxyLists,
  'PUT /api/tunnel-configs/:id': proxyLists,
  'DELETE /api/tunnel-configs/:id': proxyLists,
  'PUT /api/tunnel-configs/:id/server': proxyLists,
  'POST /api/servers': [serversQuery],
  'PUT /api/servers/:id': [serversQuery],
  'DELETE /api/servers/:id': [serversQuery],
  'POST /api/servers/:id/recreate': proxyLists,
  'POST /api/enrolment-keys': [enrolmentKeysQuery],
  'DELETE /api/enrolment-keys/:id': [enrolmentKeysQuery],
  // Machines call it.
  'POST /api/enrol': [],
  'POST /api/access-codes': [],
  'PUT /api/tunnel-configs/:id/access': [proxiesQuery],
  'POST /api/tunnel-configs/:id/service-tokens': [proxiesQuery],
  'DELETE /api/tunnel-configs/:id/service-tokens/:tokenId': [proxiesQuery],
  'DELETE /api/tunnel-configs/:id/visits/:visitId': [proxiesQuery],
  'DELETE /api/tunnel-configs/:id/visits': [proxiesQuery],
  'PUT /api/tunnel-configs/:id/request-log': [proxiesQuery],
  'POST /api/tunnel-configs/:id/domains': [proxiesQuery],
  'POST /api/tunnel-configs/:id/domains/:domainId/check': [proxiesQuery],
  'DELETE /api/tunnel-configs/:id/domains/:domainId': [proxiesQuery],
  'POST /api/tunnel-configs/:id/ports': [proxiesQuery],
  'PUT /api/tunnel-configs/:id/ports/:portId': [proxiesQuery],
  'DELETE /api/tunnel-configs/:id/ports/:portId': [proxiesQuery],
  'POST /api/tunnel-configs/:id/members': [proxiesQuery],
  'PUT /api/tunnel-configs/:id/members/:memberId': [proxiesQuery],
  'DELETE /api/tunnel-configs/:id/members/:memberId': [proxiesQuery],
  'POST /api/tunnel-configs/:id/leave': sharing,
  'POST /api/proxy-invitations/:id/acceptance': sharing,
  'DELETE /api/proxy-invitations/:id': sharing,
  'POST /api/proxy-invitation-link': [],
  'POST /api/proxy-invitation-link/refusal': sharing,
  'POST /api/proxy-invitation-link/acceptance': sharing,
  'PUT /api/tunnel-configs/:id/pause': [proxiesQuery, adminProxiesQuery],
  'DELETE /api/tunnel-configs/:id/pause': [proxiesQuery, adminProxiesQuery],
  'POST /api/recreate-tunnel/:id': [proxiesQuery, serversQuery, adminProxiesQuery],
  'POST /api/user/preferences': [preferencesQuery, ownEmailQuery],
  'POST /api/user/email-verification': [ownEmailQuery],
  'POST /api/user/password': [ownSessionsQuery, secondFactorQuery],
  'POST /api/user/deletion': [],
  'DELETE /api/user/sessions': [ownSessionsQuery, ownAuditQuery],
  'DELETE /api/user/sessions/:id': [ownSessionsQuery, ownAuditQuery],
  'POST /api/user/subscription': [subscriptionQuery, canCreateQuery, sessionQuery],
  'POST /api/admin/users': userLists,
  'PUT /api/admin/users/:id': [
    ...userLists,
    adminProxiesQuery,
    sessionQuery,
    subscriptionQuery,
    canCreateQuery,
  ],
  'DELETE /api/admin/users/:id': [...userLists, adminProxiesQuery],
  'DELETE /api/admin/users/:id/sessions': [],
  'DELETE /api/admin/users/:id/second-factor': [adminUsersQuery],
  'POST /api/admin/users/:id/reset-link': [],
  'POST /api/admin/users/:id/suspension': [adminUsersQuery, adminProxiesQuery],
  'DELETE /api/admin/users/:id/suspension': [adminUsersQuery, adminProxiesQuery],
  'POST /api/admin/tunnel-configs/:id/suspension': [adminProxiesQuery, proxiesQuery],
  'DELETE /api/admin/tunnel-configs/:id/suspension': [adminProxiesQuery, proxiesQuery],
  'POST /api/admin/mails/:id/reading': [],
  'POST /api/admin/mails/:id/sending': [{ queryKey: adminMailsKey }],
  'POST /api/admin/certificates/order': [certificatesQuery],
  'POST /api/admin/test-mail': [{ queryKey: adminMailsKey }],
  'POST /api/admin/invitations': [adminInvitationsQuery],
  'DELETE /api/admin/invitations/:id': [adminInvitationsQuery],
  'POST /api/admin/announcements': [{ queryKey: adminAnnouncementsKey }],
  'PUT /api/admin/announcements/:id': [{ queryKey: adminAnnouncementsKey }],
  'POST /api/admin/announcements/:id/end': [{ queryKey: adminAnnouncementsKey }],
  'POST /api/user/notifications/read': [{ queryKey: notificationsKey }, unreadCountQuery],
  'POST /api/user/channels': [{ queryKey: ownChannelsKey }],
  'PUT /api/user/channels/:id': [{ queryKey: ownChannelsKey }],
  'DELETE /api/user/channels/:id': [{ queryKey: ownChannelsKey }],
  'POST /api/user/channels/:id/test': [{ queryKey: ownChannelsKey }],
  'POST /api/user/channels/:id/secret': [{ queryKey: ownChannelsKey }],
  'POST /api/user/deliveries/:id/sending': [{ queryKey: ownChannelsKey }],
  'POST /api/admin/channels': [adminChannelsQuery],
  'PUT /api/admin/channels/:id': [adminChannelsQuery],
  'DELETE /api/admin/channels/:id': [adminChannelsQuery],
  'POST /api/admin/channels/:id/test': [adminChannelsQuery],
  'POST /api/admin/channels/:id/secret': [adminChannelsQuery],
  'POST /api/admin/deliveries/:id/sending': [adminChannelsQuery],
  'POST /api/user/step-up': [secondFactorQuery],
  'POST /api/user/authenticator': [secondFactorQuery],
  'POST /api/user/authenticator/confirmation': [secondFactorQuery, ownSessionsQuery],
  'POST /api/user/authenticator/removal': [secondFactorQuery],
  'POST /api/user/recovery-codes': [secondFactorQuery],
  'POST /api/user/step-up/challenge': [],
  'POST /api/user/passkeys/challenge': [],
  'POST /api/user/passkeys': [ownPasskeysQuery, secondFactorQuery, ownSessionsQuery],
  'PUT /api/user/passkeys/:id': [ownPasskeysQuery],
  'DELETE /api/user/passkeys/:id': [ownPasskeysQuery, secondFactorQuery],
  'POST /api/user/api-keys': [ownApiKeysQuery],
  'DELETE /api/user/api-keys/:id': [ownApiKeysQuery],
  'POST /api/user/identities/request': [],
  'POST /api/user/identities': [ownIdentitiesQuery],
  'DELETE /api/user/identities/:id': [ownIdentitiesQuery],
  'POST /api/login/provider/request': [],
  'POST /api/login/provider': [],
  'POST /api/register/provider': [],
  'POST /api/login': [],
  'POST /api/login/passkey/challenge': [],
  'POST /api/login/passkey': [],
  'POST /api/login/second-factor': [],
  'POST /api/register': [],
  'POST /api/logout': [],
  'POST /api/password-reset-request': [],
  'POST /api/intrusion-report': [],
  'POST /api/unsubscription': [preferencesQuery],
  'POST /api/password-reset': [],
  'POST /api/email-verification': [preferencesQuery, ownEmailQuery],
};

/** What follows a change. */
interface MutationCallbacks<N extends MutationName> {
  readonly onSuccess?: (response: ResponseBody<N>) => void;
  readonly onError?: (error: ApiError) => void;
}

interface ApiMutation<N extends MutationName>
  extends Omit<UseMutationResult<ResponseBody<N>, ApiError, Input<N>>, 'mutate'> {
  mutate(input: Input<N>, callbacks?: MutationCallbacks<N>): void;
}

/** A change by a route of the contract. It ends when what it made out of date is fetched again. */
export function useApiMutation<N extends MutationName>(
  name: N,
  options: Pick<CallOptions, 'headers'> = {},
): ApiMutation<N> {
  const client = useQueryClient();
  const language = useLanguage();
  const mutation = useMutation<ResponseBody<N>, ApiError, Input<N>>({
    mutationFn: (input) => inThisSession(call(name, input, { ...options, language })),
    onSuccess: () => invalidateAfter(client, name),
  });
  return {
    ...mutation,
    // The library's own callbacks do not reach a component that the change itself has removed, as a deleted row's button.
    mutate: (input, { onSuccess, onError = () => {} } = {}) => {
      mutation.mutateAsync(input).then(onSuccess, onError);
    },
  };
}

/** Has everything fetched again that a change makes out of date, lists with all their pages. */
export async function invalidateAfter(client: QueryClient, name: MutationName): Promise<void> {
  const refetches = invalidates[name].map(({ queryKey }) =>
    client.invalidateQueries({ queryKey, predicate: (query) => goesWith(query.queryKey, queryKey) }),
  );
  await Promise.all(refetches);
}

/**
 * Whether a key goes out of date with a list's: the list itself, a page of it (`[path, input]`), and below an
 * administrators' list its rows, too. Changes of the user's own proxies come by the live stream.
 */
export function goesWith(key: QueryKey, list: QueryKey): boolean {
  const isPage = key.length === list.length + 1 && typeof key.at(-1) === 'object';
  return key.length === list.length || isPage || String(list[0]).startsWith('/api/admin/');
}
