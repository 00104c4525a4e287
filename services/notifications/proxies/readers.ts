import type { NotificationContent } from '@talpa/contracts';
import type { NewNotification } from '../inbox/insert.ts';

/** A proxy with who is notified of its outages. */
export interface ReadProxy {
  readonly userId: number;
  readonly memberIds: readonly number[];
}

/**
 * The notification of one event for the owner of the proxies and for their members, who are notified of those alone that they are members of.
 * @param proxies all of one owner
 * @param contentOf what the notification says of some of them
 */
export function toReaders<P extends ReadProxy>(
  proxies: readonly [P, ...P[]],
  contentOf: (proxies: readonly [P, ...P[]]) => NotificationContent,
): NewNotification[] {
  const [{ userId }] = proxies;
  const members = new Set(proxies.flatMap(({ memberIds }) => memberIds));
  return [
    { userId, content: contentOf(proxies) },
    ...[...members].map((memberId) => ({
      userId: memberId,
      isCopy: true,
      content: contentOf(proxies.filter(({ memberIds }) => memberIds.includes(memberId)) as [P, ...P[]]),
    })),
  ];
}
