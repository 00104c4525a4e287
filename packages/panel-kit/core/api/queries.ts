import type { RouteName } from '@talpa/contracts';
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { type CallOptions, call, type Input, type ResponseBody } from './call.ts';

type GetName = Extract<RouteName, `GET ${string}`>;
/** Routes that are called without any input. */
type PlainName = Exclude<GetName, `${string}:${string}`>;

const nothing = {} as Input<PlainName>;

/** The query of a route with its input. */
function queryOf<N extends GetName>(name: N, input: Input<N>, queryKey: QueryKey, options: CallOptions = {}) {
  return queryOptions<ResponseBody<N>, ApiError>({
    queryKey,
    queryFn: ({ signal }) => call(name, input, { ...options, signal }),
  });
}

/** The query of a route without input; its key starts with the route's path. */
function query<N extends PlainName>(name: N, options: CallOptions = {}) {
  return queryOf(name, nothing as Input<N>, [name.slice('GET '.length)], options);
}

/** What administrators read about one thing; its key lies below the list's, so that what outdates the list outdates it too. */
function adminQuery<N extends `GET /api/admin/${string}/:id${string}` & GetName>(
  name: N,
  id: number,
  list: QueryKey,
  ...rest: readonly string[]
) {
  return queryOf(name, { id } as Input<N>, [...list, id, ...rest], { language: 'de' });
}

const pageSize = 25;
/** The query of a list that grows page by page; its rows have the ids that the pages start after. */
function pagesQuery<N extends GetName>(name: N, input: object, queryKey: QueryKey) {
  type Row =
    ResponseBody<N> extends readonly (infer R extends { readonly id: string | number })[] ? R : never;
  return infiniteQueryOptions<Row[], ApiError, InfiniteData<Row[]>, QueryKey, Row['id'] | undefined>({
    queryKey,
    queryFn: async ({ signal, pageParam }) =>
      (await call(name, { ...input, limit: pageSize + 1, cursor: pageParam } as Input<N>, {
        signal,
      })) as Row[],
    initialPageParam: undefined,
    // One row more than a page means that there is another page.
    getNextPageParam: (page) => (page.length > pageSize ? page[pageSize - 1]?.id : undefined),
    select: ({ pages, pageParams }) => ({ pages: pages.map((page) => page.slice(0, pageSize)), pageParams }),
  });
}

/** Fetches what a page reads while its code is on its way, so that its first rendering has the data. The page shows a failure. */
export function prefetch(client: QueryClient, names: readonly PlainName[]): void {
  for (const name of names) void client.prefetchQuery(query(name));
}

/** As `query`, but resolves to null when nobody is signed in. */
function queryOrNull<N extends PlainName>(name: N) {
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
/** The user's servers; below its key lies what is known of each. */
export const serversQuery = query('GET /api/servers');
type OfProxy =
  `GET /api/tunnel-configs/:id${'' | '/health' | '/traffic' | '/domains' | '/ports' | '/members' | '/events' | '/access' | '/visits' | '/service-tokens' | '/request-log'}`;
type OfServer = `GET /api/servers/:id${'' | '/health' | '/events'}`;
/** What a route about one thing returns; the key lies below the list's, so that what outdates the list outdates it too. */
const about = <N extends OfProxy | OfServer>(name: N, id: number) =>
  queryOf(name, { id } as Input<N>, [name.slice(4, name.indexOf('/:')), id, name]);

/** Of everything about a server. */
export const serverKey = (id: number) => [...serversQuery.queryKey, id];
export const serverQuery = (id: number) => about('GET /api/servers/:id', id);
export const serverHealthQuery = (id: number) => about('GET /api/servers/:id/health', id);
export const serverEventsQuery = (id: number) => about('GET /api/servers/:id/events', id);
/** The user's enrolment keys; looked at again each time they are shown. */
export const enrolmentKeysQuery = { ...query('GET /api/enrolment-keys'), staleTime: 0 };
/** Of everything about a proxy. */
export const proxyKey = (id: number) => ['/api/tunnel-configs', id];
export const proxyQuery = (id: number) => about('GET /api/tunnel-configs/:id', id);
export const proxyHealthQuery = (id: number) => about('GET /api/tunnel-configs/:id/health', id);
export const proxyTrafficQuery = (id: number) => about('GET /api/tunnel-configs/:id/traffic', id);
export const proxyDomainsQuery = (id: number) => about('GET /api/tunnel-configs/:id/domains', id);
export const gamePortsQuery = (id: number) => about('GET /api/tunnel-configs/:id/ports', id);
export const proxyAccessQuery = (id: number) => about('GET /api/tunnel-configs/:id/access', id);
/** What lets programs pass a proxy's wall. */
export const serviceTokensQuery = (id: number) => about('GET /api/tunnel-configs/:id/service-tokens', id);
/** Who has passed a proxy's wall and is still in. */
export const proxyVisitsQuery = (id: number) => about('GET /api/tunnel-configs/:id/visits', id);
/** How a proxy's requests are logged. */
export const requestLogQuery = (id: number) => about('GET /api/tunnel-configs/:id/request-log', id);
/** Below it lie the pages of a proxy's logged requests. */
export const requestsKey = (id: number) => [...proxyKey(id), 'requests'];
export const proxyMembersQuery = (id: number) => about('GET /api/tunnel-configs/:id/members', id);
export const proxyEventsQuery = (id: number) => about('GET /api/tunnel-configs/:id/events', id);
/**
 * Whether a subdomain is free for a proxy, or for a new one. It is never cached: the response holds only at that moment.
 */
export const subdomainQuery = (subdomain: string, proxyId: number | undefined) => ({
  ...queryOf('GET /api/subdomain-availability', { subdomain, proxyId }, [
    '/api/subdomain-availability',
    subdomain,
    proxyId ?? null,
  ]),
  staleTime: 0,
  gcTime: 0,
});
/** The proxies that the user is a member of. */
export const sharedProxiesQuery = query('GET /api/shared-proxies');
/** What the user is invited to by name. */
export const proxyInvitationsQuery = query('GET /api/proxy-invitations');
export const canCreateQuery = query('GET /api/user/subscription/can-create-proxy');
export const subscriptionQuery = query('GET /api/user/subscription');
export const statsQuery = query('GET /api/system/stats');
export const adminUsersQuery = query('GET /api/admin/users', { language: 'de' });
export const adminUserQuery = (id: number) =>
  adminQuery('GET /api/admin/users/:id', id, adminUsersQuery.queryKey);
/** Of the addresses of all users. */
export const adminUserEmailsKey = ['/api/admin/users/emails'];
/** A user's email address, and whether it is verified. */
export const adminUserEmailQuery = (id: number) =>
  adminQuery('GET /api/admin/users/:id/email', id, adminUserEmailsKey);
export const adminFactorQuery = (id: number) => ({
  ...adminQuery('GET /api/admin/users/:id/second-factor', id, adminUsersQuery.queryKey, 'second-factor'),
  staleTime: 0,
});
export const adminApiKeysQuery = (id: number) => ({
  ...adminQuery('GET /api/admin/users/:id/api-keys', id, adminUsersQuery.queryKey, 'api-keys'),
  staleTime: 0,
});
export const adminIdentitiesQuery = (id: number) => ({
  ...adminQuery('GET /api/admin/users/:id/identities', id, adminUsersQuery.queryKey, 'identities'),
  staleTime: 0,
});
/** The one list that is fetched again when the window gets the focus. */
export const adminProxiesQuery = {
  ...query('GET /api/admin/tunnel-configs', { language: 'de' }),
  refetchOnWindowFocus: 'always' as const,
};
/** Those of one user. */
export const adminProxiesOfQuery = (userId: number) => ({
  ...queryOf('GET /api/admin/tunnel-configs', { userId }, [...adminProxiesQuery.queryKey, { userId }], {
    language: 'de',
  }),
  refetchOnWindowFocus: 'always' as const,
});

export const adminInvitationsQuery = query('GET /api/admin/invitations', { language: 'de' });
export const adminAnnouncementsKey = ['/api/admin/announcements'];
export const adminAnnouncementQuery = (id: number) =>
  adminQuery('GET /api/admin/announcements/:id', id, adminAnnouncementsKey);
/** Who registered with an invitation. */
export const invitedUsersQuery = (id: number) =>
  adminQuery('GET /api/admin/invitations/:id/users', id, adminInvitationsQuery.queryKey);

/** What an operator has to fix at the tunnel provider; no message comes when it changes. */
export const problemsQuery = {
  ...query('GET /api/admin/provider-problems'),
  refetchInterval: 60_000,
};

/** How the installation is set up, and what it holds; no message comes when it changes. */
export const systemQuery = { ...query('GET /api/admin/system', { language: 'de' }), refetchInterval: 60_000 };

/** What is wrong with the installation: each look takes calls of other servers, so nobody repeats it unasked. */
export const doctorQuery = query('GET /api/admin/system/doctor', { language: 'de' });

/** The jobs that keep failing; no message comes when that changes. */
export const deadLettersQuery = {
  ...query('GET /api/admin/dead-letters', { language: 'de' }),
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
export const adminMailQuery = (id: number) => adminQuery('GET /api/admin/mails/:id', id, adminMailsKey);
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
  pagesQuery('GET /api/user/channels/:id/deliveries', { id }, [...ownChannelsKey, id]);
export const deliveryQuery = (id: number) =>
  queryOf('GET /api/user/deliveries/:id', { id }, [...ownChannelsKey, { delivery: id }]);

/** The same of the installation. */
export const adminChannelsQuery = query('GET /api/admin/channels', { language: 'de' });
export const adminDeliveriesQuery = (id: number) =>
  pagesQuery('GET /api/admin/channels/:id/deliveries', { id }, [...adminChannelsQuery.queryKey, id]);
export const adminDeliveryQuery = (id: number) =>
  queryOf('GET /api/admin/deliveries/:id', { id }, [...adminChannelsQuery.queryKey, { delivery: id }], {
    language: 'de',
  });

/** What the bell shows. */
export const newestNotificationsQuery = queryOf('GET /api/user/notifications', { limit: 10 }, [
  ...notificationsKey,
  { newest: true },
]);

/** What is shown above every page; below the inbox's key, for it is what is unread there. */
export const announcementsQuery = queryOf('GET /api/user/notifications/announcements', {}, [
  ...notificationsKey,
  { announcements: true },
]);

/** The inbox page by page: all of it, or what is unread. */
export const notificationsQuery = (state: 'unread' | undefined) =>
  pagesQuery('GET /api/user/notifications', { state }, [...notificationsKey, { state: state ?? null }]);

/** The user's audit trail, page by page; what happens arrives there a moment later, so that it is never fresh. */
export const ownAuditQuery = { ...pagesQuery('GET /api/user/audit', {}, ['/api/user/audit']), staleTime: 0 };
