import type {
  ChannelKind,
  Delivery,
  InstallationChannel,
  InstallationEvent,
  InstallationTopic,
  NotificationContent,
} from '@talpa/contracts';
import type { ApiError } from '@talpa/panel-kit/core';
import { createContext, useContext } from 'react';

/** A notification, or an event of the installation. */
type Content = NotificationContent | InstallationEvent;
export type AnyDelivery = Omit<Delivery, 'notifications'> & { readonly notifications: readonly Content[] };
type AnyDeliveryDetails = AnyDelivery & {
  readonly request: string | null;
  readonly answer: string | null;
};

interface Loaded<T> {
  readonly data: T | undefined;
  readonly error: ApiError | null;
  readonly isPending: boolean;
  readonly isFetching: boolean;
  refetch(): unknown;
}
interface Pages<T> extends Loaded<readonly T[]> {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}
interface Change<I, O> {
  readonly isPending: boolean;
  mutate(
    input: I,
    callbacks?: {
      readonly onSuccess?: (response: O) => void;
      readonly onError?: (error: ApiError) => void;
    },
  ): void;
  mutateAsync(input: I): Promise<O>;
}

interface Target {
  readonly url?: string | undefined;
  readonly topic?: string | undefined;
  readonly token?: string | undefined;
  readonly chat?: string | undefined;
}
interface NewChannel extends Target {
  readonly kind: ChannelKind;
  readonly name: string;
  readonly topics: InstallationTopic[];
}
interface ChangedChannel extends Target {
  readonly id: number;
  readonly name?: string | undefined;
  readonly topics?: InstallationTopic[] | undefined;
  readonly isPaused?: boolean | undefined;
}
interface Named {
  readonly id: number;
}
interface WithSecret {
  readonly channel: InstallationChannel;
  readonly secret: string | null;
}

/** Somebody's channels: their topics, and the calls that read and change them. */
export interface Channels {
  readonly topics: readonly InstallationTopic[];
  /** How many there may be. */
  readonly most: number;
  useChannels(): Loaded<readonly InstallationChannel[]>;
  useDeliveries(id: number): Pages<AnyDelivery>;
  useDelivery(id: number): Loaded<AnyDeliveryDetails>;
  useCreate(): Change<NewChannel, WithSecret>;
  useUpdate(): Change<ChangedChannel, InstallationChannel>;
  useRemove(): Change<Named, null>;
  useTest(): Change<Named, unknown>;
  useRenew(): Change<Named, WithSecret>;
  useSendAgain(): Change<Named, unknown>;
  /** Gives the title of a notification. */
  useTitleOf(): (content: Content) => string;
}

export const ChannelsContext = createContext<Channels | null>(null);

/** The channels that are shown. */
export function useShownChannels(): Channels {
  const channels = useContext(ChannelsContext);
  if (!channels) throw new Error('channels are shown without saying whose they are');
  return channels;
}
