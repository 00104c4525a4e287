import type { RouteName } from '@talpa/contracts';
import { type InfiniteData, infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { type CallOptions, call, type Input, type ResponseBody } from './call.ts';

/** Routes that are asked without any input. */
type ListName = {
  [N in RouteName]: N extends `GET ${string}:${string}` ? never : N extends `GET ${string}` ? N : never;
}[RouteName];

const nothing = {} as Input<ListName>;

/** The query of a route without input; its key starts with the route's path. */
function query<N extends ListName>(name: N, options: CallOptions = {}) {
  return queryOptions<ResponseBody<N>, ApiError>({
    queryKey: [name.slice('GET '.length)],
    queryFn: ({ signal }) => call(name, nothing as Input<N>, { ...options, signal }),
  });
}

/** As `query`, but resolves to null when nobody is signed in. */
function queryOrNull<N extends ListName>(name: N) {
  return queryOptions<ResponseBody<N> | null, ApiError>({
    queryKey: [name.slice('GET '.length)],
    queryFn: ({ signal }) =>
      call(name, nothing as Input<N>, { signal, throwsSignedOut: true }).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 401) return null;
        throw error;
      }),
  });
}

export const sessionQuery = queryOrNull('GET /api/user');
export const preferencesQuery = queryOrNull('GET /api/user/preferences');
/** The user's email address, and whether it is verified. */
export const ownEmailQuery = query('GET /api/user/email');
/** The user's second factor; looked at again each time it is shown. */
export const secondFactorQuery = { ...query('GET /api/user/second-factor'), staleTime: 0 };
/** The user's passkeys; looked at again each time they are shown. */
export const ownPasskeysQuery = { ...query('GET /api/user/passkeys'), staleTime: 0 };
/** The user's API keys; looked at again each time they are shown. */
export const ownApiKeysQuery = { ...query('GET /api/user/api-keys'), staleTime: 0 };
/** The user's linked identities; looked at again each time they are shown. */
export const ownIdentitiesQuery = { ...query('GET /api/user/identities'), staleTime: 0 };
/** The providers that users can sign in with beside the password. */
export const signInProvidersQuery = query('GET /api/sign-in-providers');
export const proxiesQuery = query('GET /api/tunnel-configs');
/** What a proxy's route returns; the key lies below the list's, so that what outdates the list outdates it too. */
function aboutProxy<N extends `GET /api/tunnel-configs/:id${'' | '/health' | '/traffic' | '/events'}`>(
  name: N,
  id: number,
) {
  return queryOptions<ResponseBody<N>, ApiError>({
    queryKey: ['/api/tunnel-configs', id, name],
    queryFn: ({ signal }) => call(name, { id } as Input<N>, { signal }),
  });
}

/** Of everything about a proxy. */
export const proxyKey = (id: number) => ['/api/tunnel-configs', id];
export const proxyQuery = (id: number) => aboutProxy('GET /api/tunnel-configs/:id', id);
export const proxyHealthQuery = (id: number) => aboutProxy('GET /api/tunnel-configs/:id/health', id);
export const proxyTrafficQuery = (id: number) => aboutProxy('GET /api/tunnel-configs/:id/traffic', id);
export const proxyEventsQuery = (id: number) => aboutProxy('GET /api/tunnel-configs/:id/events', id);
/**
 * Whether a subdomain is free for a proxy, or for a new one. It is never cached: the response holds only at that moment.
 */
export const subdomainQuery = (subdomain: string, proxyId: number | undefined) =>
  queryOptions<ResponseBody<'GET /api/subdomain-availability'>, ApiError>({
    queryKey: ['/api/subdomain-availability', subdomain, proxyId ?? null],
    queryFn: ({ signal }) => call('GET /api/subdomain-availability', { subdomain, proxyId }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
export const canCreateQuery = query('GET /api/user/subscription/can-create-proxy');
export const subscriptionQuery = query('GET /api/user/subscription');
export const statsQuery = query('GET /api/system/stats');
export const adminUsersQuery = query('GET /api/admin/users', { language: 'de' });
/** Of one user; below the list's key, so that what outdates the list outdates it too. */
export const adminUserQuery = (id: number) =>
  queryOptions<ResponseBody<'GET /api/admin/users/:id'>, ApiError>({
    queryKey: [...adminUsersQuery.queryKey, id],
    queryFn: ({ signal }) => call('GET /api/admin/users/:id', { id }, { signal, language: 'de' }),
  });
/** Of the addresses of all users. */
export const adminUserEmailsKey = ['/api/admin/users/emails'];
/** A user's email address, and whether it is verified. */
export const adminUserEmailQuery = (id: number) =>
  queryOptions<ResponseBody<'GET /api/admin/users/:id/email'>, ApiError>({
    queryKey: [...adminUserEmailsKey, id],
    queryFn: ({ signal }) => call('GET /api/admin/users/:id/email', { id }, { signal, language: 'de' }),
  });
/** A user's second factor; below the list's key, as the user. */
export const adminFactorQuery = (id: number) =>
  queryOptions<ResponseBody<'GET /api/admin/users/:id/second-factor'>, ApiError>({
    queryKey: [...adminUsersQuery.queryKey, id, 'second-factor'],
    queryFn: ({ signal }) =>
      call('GET /api/admin/users/:id/second-factor', { id }, { signal, language: 'de' }),
    staleTime: 0,
  });
/** A user's API keys; below the list's key, as the user. */
export const adminApiKeysQuery = (id: number) =>
  queryOptions<ResponseBody<'GET /api/admin/users/:id/api-keys'>, ApiError>({
    queryKey: [...adminUsersQuery.queryKey, id, 'api-keys'],
    queryFn: ({ signal }) => call('GET /api/admin/users/:id/api-keys', { id }, { signal, language: 'de' }),
    staleTime: 0,
  });
/** A user's linked identities; below the list's key, as the user. */
export const adminIdentitiesQuery = (id: number) =>
  queryOptions<ResponseBody<'GET /api/admin/users/:id/identities'>, ApiError>({
    queryKey: [...adminUsersQuery.queryKey, id, 'identities'],
    queryFn: ({ signal }) => call('GET /api/admin/users/:id/identities', { id }, { signal, language: 'de' }),
    staleTime: 0,
  });
/** The one list that is fetched again when the window gets the focus. */
export const adminProxiesQuery = {
  ...query('GET /api/admin/tunnel-configs', { language: 'de' }),
  refetchOnWindowFocus: 'always' as const,
};
/** Those of one user. */
export const adminProxiesOfQuery = (userId: number) => ({
  ...queryOptions<ResponseBody<'GET /api/admin/tunnel-configs'>, ApiError>({
    queryKey: [...adminProxiesQuery.queryKey, { userId }],
    queryFn: ({ signal }) => call('GET /api/admin/tunnel-configs', { userId }, { signal, language: 'de' }),
  }),
  refetchOnWindowFocus: 'always' as const,
});

export const adminInvitationsQuery = query('GET /api/admin/invitations', { language: 'de' });
export const adminAnnouncementsKey = ['/api/admin/announcements'];
/** One announcement; below the list's key, so that what outdates the list outdates it too. */
export const adminAnnouncementQuery = (id: number) =>
  queryOptions<ResponseBody<'GET /api/admin/announcements/:id'>, ApiError>({
    queryKey: [...adminAnnouncementsKey, id],
    queryFn: ({ signal }) => call('GET /api/admin/announcements/:id', { id }, { signal, language: 'de' }),
  });
/** Who registered with one; below the list's key, so that what outdates the list outdates it too. */
export const invitedUsersQuery = (id: number) =>
  queryOptions<ResponseBody<'GET /api/admin/invitations/:id/users'>, ApiError>({
    queryKey: [...adminInvitationsQuery.queryKey, id],
    queryFn: ({ signal }) => call('GET /api/admin/invitations/:id/users', { id }, { signal, language: 'de' }),
  });

/** What an operator has to fix at the tunnel provider; no message comes when it changes. */
export const problemsQuery = {
  ...query('GET /api/admin/provider-problems'),
  refetchInterval: 60_000,
};

/** How much disk space is left; no message comes when it changes. */
export const storageQuery = { ...query('GET /api/admin/storage'), refetchInterval: 60_000 };

/** The certificates that Talpa orders; no message comes when one changes. */
export const certificatesQuery = {
  ...query('GET /api/admin/certificates', { language: 'de' }),
  refetchInterval: 5_000,
};

/** Of all pages of the email log, and of each email. */
export const adminMailsKey = ['/api/admin/mails'];
/** One email; below the log's key, so that what outdates the log outdates it too. */
export const adminMailQuery = (id: number) =>
  queryOptions<ResponseBody<'GET /api/admin/mails/:id'>, ApiError>({
    queryKey: [...adminMailsKey, id],
    queryFn: ({ signal }) => call('GET /api/admin/mails/:id', { id }, { signal, language: 'de' }),
  });
/** Whether emails are sent: it changes with a restart alone. */
export const mailSetUpQuery = query('GET /api/admin/mail-setup', { language: 'de' });

/** Where the user is signed in; looked at again each time it is shown. */
export const ownSessionsQuery = { ...query('GET /api/user/sessions'), staleTime: 0 };

/** Of all pages of the whole trail, and of what of it concerns one user. */
export const adminAuditKey = ['/api/admin/audit'];

/** Of everything in the inbox. */
export const notificationsKey = ['/api/user/notifications'];
export const unreadCountQuery = query('GET /api/user/notifications/unread-count');
/** How notifications can leave the panel: it changes with a restart alone. */
export const channelsQuery = query('GET /api/user/notifications/channels');
/** Of everything about channels. */
export const ownChannelsKey = ['/api/user/channels'];
export const ownChannelsQuery = query('GET /api/user/channels');
/** What was sent to a channel, page by page; the keys lie below the channels', so that what outdates them outdates it too. */
export const deliveriesQuery = (id: number) =>
  deliveryPages('GET /api/user/channels/:id/deliveries', ownChannelsKey, id);
export const deliveryQuery = (id: number) =>
  queryOptions<ResponseBody<'GET /api/user/deliveries/:id'>, ApiError>({
    queryKey: [...ownChannelsKey, { delivery: id }],
    queryFn: ({ signal }) => call('GET /api/user/deliveries/:id', { id }, { signal }),
  });

/** The same of the installation. */
export const adminChannelsQuery = query('GET /api/admin/channels', { language: 'de' });
export const adminDeliveriesQuery = (id: number) =>
  deliveryPages('GET /api/admin/channels/:id/deliveries', adminChannelsQuery.queryKey, id);
export const adminDeliveryQuery = (id: number) =>
  queryOptions<ResponseBody<'GET /api/admin/deliveries/:id'>, ApiError>({
    queryKey: [...adminChannelsQuery.queryKey, { delivery: id }],
    queryFn: ({ signal }) => call('GET /api/admin/deliveries/:id', { id }, { signal, language: 'de' }),
  });

const deliveryPage = 25;
function deliveryPages<
  N extends 'GET /api/user/channels/:id/deliveries' | 'GET /api/admin/channels/:id/deliveries',
>(route: N, key: QueryKey, id: number) {
  return infiniteQueryOptions<
    ResponseBody<N>,
    ApiError,
    InfiniteData<ResponseBody<N>>,
    QueryKey,
    number | undefined
  >({
    queryKey: [...key, id],
    queryFn: ({ signal, pageParam }) =>
      call(route, { id, limit: deliveryPage + 1, cursor: pageParam } as Input<N>, { signal }),
    initialPageParam: undefined,
    // One row more than a page means that there is another page.
    getNextPageParam: (page) => (page.length > deliveryPage ? page[deliveryPage - 1]?.id : undefined),
    select: ({ pages, pageParams }) => ({
      pages: pages.map((page) => page.slice(0, deliveryPage) as ResponseBody<N>),
      pageParams,
    }),
  });
}

/** What the bell shows. */
export const newestNotificationsQuery = queryOptions<ResponseBody<'GET /api/user/notifications'>, ApiError>({
  queryKey: [...notificationsKey, { newest: true }],
  queryFn: ({ signal }) => call('GET /api/user/notifications', { limit: 10 }, { signal }),
});

/** What is shown above every page; below the inbox's key, for it is what is unread there. */
export const announcementsQuery = queryOptions<
  ResponseBody<'GET /api/user/notifications/announcements'>,
  ApiError
>({
  queryKey: [...notificationsKey, { announcements: true }],
  queryFn: ({ signal }) => call('GET /api/user/notifications/announcements', {}, { signal }),
});

const notificationPage = 25;
/** The inbox page by page: all of it, or what is unread. */
export const notificationsQuery = (state: 'unread' | undefined) =>
  infiniteQueryOptions<
    ResponseBody<'GET /api/user/notifications'>,
    ApiError,
    InfiniteData<ResponseBody<'GET /api/user/notifications'>>,
    readonly unknown[],
    number | undefined
  >({
    queryKey: [...notificationsKey, { state: state ?? null }],
    queryFn: ({ signal, pageParam }) =>
      call(
        'GET /api/user/notifications',
        { state, limit: notificationPage + 1, cursor: pageParam },
        { signal },
      ),
    initialPageParam: undefined,
    // One row more than a page means that there is another page.
    getNextPageParam: (page) => (page.length > notificationPage ? page[notificationPage - 1]?.id : undefined),
    select: ({ pages, pageParams }) => ({
      pages: pages.map((page) => page.slice(0, notificationPage)),
      pageParams,
    }),
  });

const auditPage = 25;
/** The user's audit trail, page by page; what happens arrives there a moment later, so that it is never fresh. */
export const ownAuditQuery = infiniteQueryOptions<
  ResponseBody<'GET /api/user/audit'>,
  ApiError,
  InfiniteData<ResponseBody<'GET /api/user/audit'>>,
  readonly string[],
  string | undefined
>({
  queryKey: ['/api/user/audit'],
  queryFn: ({ signal, pageParam }) =>
    call('GET /api/user/audit', { limit: auditPage + 1, cursor: pageParam }, { signal }),
  initialPageParam: undefined,
  // One row more than a page means that there is another page.
  getNextPageParam: (page) => (page.length > auditPage ? page[auditPage - 1]?.id : undefined),
  select: ({ pages, pageParams }) => ({ pages: pages.map((page) => page.slice(0, auditPage)), pageParams }),
  staleTime: 0,
});
