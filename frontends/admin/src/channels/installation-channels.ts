import type { InstallationEvent, InstallationTopic } from '@talpa/contracts';
import { channelsOfInstallation } from '@talpa/contracts/channel-kinds';
import { installationWords } from '@talpa/contracts/installation-words';
import type { Channels } from '@talpa/panel-features/channels';
import {
  adminChannelsQuery,
  adminDeliveriesQuery,
  adminDeliveryQuery,
  fillText,
  formatTime,
  useApiMutation,
} from '@talpa/panel-kit/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';

const topics = [
  'users',
  'proxies',
  'account',
  'security',
  'announcements',
] as const satisfies readonly InstallationTopic[];

/** Those of the installation, which all administrators share. */
export const installationChannels: Channels = {
  topics,
  most: channelsOfInstallation,
  useChannels: () => useQuery(adminChannelsQuery),
  useDeliveries: (id) => {
    const query = useInfiniteQuery(adminDeliveriesQuery(id));
    return { ...query, data: query.data?.pages.flat() };
  },
  useDelivery: (id) => useQuery(adminDeliveryQuery(id)),
  useCreate: () => useApiMutation('POST /api/admin/channels'),
  useUpdate: () => useApiMutation('PUT /api/admin/channels/:id'),
  useRemove: () => useApiMutation('DELETE /api/admin/channels/:id'),
  useTest: () => useApiMutation('POST /api/admin/channels/:id/test'),
  useRenew: () => useApiMutation('POST /api/admin/channels/:id/secret'),
  useSendAgain: () => useApiMutation('POST /api/admin/deliveries/:id/sending'),
  useTitleOf: () => (content) =>
    installationWords(content as InstallationEvent, 'de', formatTime, fillText).title,
};
