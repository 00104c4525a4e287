import type { CommandOf } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { runCommands } from '@talpa/service-kit/events/commands';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { insertNotifications } from '../inbox/insert.ts';

const name = 'notifications.notifyOfDomain';

/** Notifies owners of custom domains of what their checks have found. */
export function followDomains(base: ServiceBase, lifecycle: Lifecycle): void {
  runCommands(name, notifyOfDomain, base, lifecycle);
}

const notifyOfDomain = (tx: Tx, { domainId, userId, content, since }: CommandOf<typeof name>) =>
  insertNotifications(tx, [{ userId, cause: `${content.kind}:${domainId}:${since}`, content }]);
