import type { LiveMessage, RouteName } from '@talpa/contracts';
import type { Query as CachedQuery, QueryClient, QueryKey } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';
import {
  adminAnnouncementsKey,
  adminAuditKey,
  adminChannelsQuery,
  adminInvitationsQuery,
  adminMailsKey,
  adminProxiesQuery,
  adminUserEmailsKey,
  adminUsersQuery,
  canCreateQuery,
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
  proxyEventsQuery,
  proxyHealthQuery,
  proxyInvitationsQuery,
  proxyKey,
  proxyQuery,
  proxyVisitsQuery,
  requestLogQuery,
  requestsKey,
  secondFactorQuery,
  serversQuery,
  sessionQuery,
  sharedProxiesQuery,
  statsQuery,
  subscriptionQuery,
  unreadCountQuery,
} from '../api/queries.ts';

interface Query {
  readonly queryKey: QueryKey;
}
/** What a plan decides. */
export const planQueries: readonly Query[] = [sessionQuery, subscriptionQuery, canCreateQuery];

/** The queries a message makes out of date; null: all there are. */
export function invalidatedQueries(message: LiveMessage): readonly Query[] | null {
  switch (message.type) {
    case 'refetch':
      return null;
    case 'sessionEnded':
      return [sessionQuery];
    case 'totals':
      return [statsQuery];
    case 'sharing':
      return [sharedProxiesQuery, proxyInvitationsQuery, proxiesQuery];
    case 'proxy':
      if (message.scope === 'shared')
        return [sharedProxiesQuery, { queryKey: proxyKey(message.id) }, serversQuery];
      return message.scope === 'all'
        ? [adminProxiesQuery, { queryKey: proxyKey(message.id) }, serversQuery]
        : [
            proxiesQuery,
            serversQuery,
            adminProxiesQuery,
            ...(message.change === 'changed' ? [] : [canCreateQuery]),
          ];
    case 'health':
      // Who sends it may not know yet that its reader has lost the proxy: the proxy itself says so.
      return [proxyQuery(message.id), proxyHealthQuery(message.id), proxyEventsQuery(message.id)];
    case 'server':
      return [serversQuery];
    case 'requests':
      return [{ queryKey: requestsKey(message.id) }, requestLogQuery(message.id)];
    case 'visits':
      return [proxyVisitsQuery(message.id)];
    case 'audit': {
      const trail = { queryKey: adminAuditKey };
      // Invitations, announcements and channels of the installation have no message of their own: each change of one is in the audit trail, about the
      // administrator who made it.
      const lists = [
        trail,
        adminInvitationsQuery,
        { queryKey: adminAnnouncementsKey },
        adminChannelsQuery,
        { queryKey: adminUserEmailsKey },
      ];
      return message.scope === 'all'
        ? lists
        : [
            ...lists,
            ownAuditQuery,
            ownSessionsQuery,
            secondFactorQuery,
            ownPasskeysQuery,
            ownApiKeysQuery,
            enrolmentKeysQuery,
            ownIdentitiesQuery,
          ];
    }
    case 'user':
      // A name stands beside the proxies, too.
      return message.scope === 'all'
        ? [adminUsersQuery, adminProxiesQuery]
        : [adminUsersQuery, adminProxiesQuery, sessionQuery, canCreateQuery];
    case 'mail':
      // What becomes of an email says whether its address works.
      return [{ queryKey: adminMailsKey }, { queryKey: adminUserEmailsKey }];
    case 'notification':
      return [
        { queryKey: notificationsKey },
        unreadCountQuery,
        { queryKey: ownChannelsKey },
        adminChannelsQuery,
      ];
    case 'preferences':
      return [preferencesQuery, ownEmailQuery];
    case 'subscription':
      return message.scope === 'all' ? [adminUsersQuery] : [adminUsersQuery, ...planQueries];
  }
}

/** Changes come in bursts: what they outdate is fetched once, in ms. */
const gatherMs = 150;
/** After a gap all tabs refetch at once; this spreads them out, in ms. */
const spreadMs = 2_000;

/**
 * Has queries fetched again, the proxy of an open page before all else about it: a page that may not show its proxy any more is gone
 * then, and asks for nothing that would be refused. It does not ask for the proxy again while it leaves: messages follow each other.
 */
async function renew(client: QueryClient, keys: readonly QueryKey[]): Promise<void> {
  const these = (predicate: (query: CachedQuery) => boolean) =>
    Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey, predicate })));
  await these((query) => isOfProxy(query) && !isGone(query));
  // Until what shows it has been drawn anew.
  await new Promise((resolve) => setTimeout(resolve));
  await these((query) => !isOfProxy(query));
}
const isOfProxy = ({ queryKey }: Query) =>
  queryKey.at(-1) === ('GET /api/tunnel-configs/:id' satisfies RouteName);
const isGone = ({ state }: CachedQuery) => state.error instanceof ApiError && state.error.status === 404;

/** Has outdated queries fetched again: those on the screen soon, the others when they are needed. */
export function createInvalidator(client: QueryClient) {
  const gathered = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let allTimer: ReturnType<typeof setTimeout> | undefined;
  const gather = (queries: readonly Query[]) => {
    for (const { queryKey } of queries) gathered.set(JSON.stringify(queryKey), queryKey);
    timer ??= setTimeout(() => {
      timer = undefined;
      void renew(client, [...gathered.values()]);
      gathered.clear();
    }, gatherMs);
  };
  return {
    these: gather,
    /** @param spread whether there is time: others have the same to do. */
    all: (spread: boolean) => {
      clearTimeout(allTimer);
      allTimer = setTimeout(
        () => void renew(client, [[]]),
        gatherMs + (spread ? Math.random() * spreadMs : 0),
      );
    },
    stop: () => {
      clearTimeout(timer);
      clearTimeout(allTimer);
    },
  };
}
