import type { CommandOf } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { runCommands } from '@talpa/service-kit/events/commands';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { insertNotifications } from '../inbox/insert.ts';

const name = 'notifications.notifyOfMember';

/** Notifies users of invitations to proxies, and owners and members of what became of them. */
export function followMembers(base: ServiceBase, lifecycle: Lifecycle): void {
  runCommands(name, notifyOfMember, base, lifecycle);
}

const notifyOfMember = (tx: Tx, { memberId, userId, content }: CommandOf<typeof name>) =>
  insertNotifications(tx, userId === null ? [] : [{ userId, cause: `${content.kind}:${memberId}`, content }]);
