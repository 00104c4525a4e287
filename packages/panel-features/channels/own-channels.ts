import type { NotificationContent, NotificationTopic } from '@talpa/contracts';
import { channelsPerUser } from '@talpa/contracts/channel-kinds';
import { deliveriesQuery, deliveryQuery, ownChannelsQuery, useApiMutation } from '@talpa/panel-kit/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNotificationWords } from '../notifications/words.ts';
import type { Channels } from './channels.ts';

const topics = [
  'proxies',
  'account',
  'security',
  'announcements',
] as const satisfies readonly NotificationTopic[];

/** The user's. */
export const ownChannels: Channels = {
  topics,
  most: channelsPerUser,
  useChannels: () => useQuery(ownChannelsQuery),
  useDeliveries: (id) => {
    const query = useInfiniteQuery(deliveriesQuery(id));
    return { ...query, data: query.data?.pages.flat() };
  },
  useDelivery: (id) => useQuery(deliveryQuery(id)),
  useCreate: () => useApiMutation('POST /api/user/channels'),
  useUpdate: () => useApiMutation('PUT /api/user/channels/:id'),
  useRemove: () => useApiMutation('DELETE /api/user/channels/:id'),
  useTest: () => useApiMutation('POST /api/user/channels/:id/test'),
  useRenew: () => useApiMutation('POST /api/user/channels/:id/secret'),
  useSendAgain: () => useApiMutation('POST /api/user/deliveries/:id/sending'),
  useTitleOf: () => {
    const wordsOf = useNotificationWords();
    return (content) => wordsOf(content as NotificationContent).title;
  },
};
