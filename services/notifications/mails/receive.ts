import { type CommandOf, type Mail, type NotificationContent, notificationKinds } from '@talpa/contracts';
import { commandSource, userChangedSubject } from '@talpa/service-kit/bus/subjects';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { readCommand } from '@talpa/service-kit/events/commands';
import { startConsumer } from '@talpa/service-kit/events/consume';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { insertNotifications } from '../inbox/insert.ts';
import { insertMail } from './sql.ts';

const names = [
  'notifications.sendMail',
  'notifications.sendInvitation',
  'notifications.sendAccessCode',
] as const;
type Order = CommandOf<(typeof names)[number]>;

/** Stores the emails that services order. */
export function receiveMails(base: ServiceBase, kick: () => void, lifecycle: Lifecycle): void {
  const { nc } = base;
  for (const name of names)
    startConsumer(
      nc,
      {
        ...commandSource(name),
        concurrency: 8,
        handle: async (message) => {
          const order = readCommand(message, name, lifecycle.log);
          if (!order || !(await base.transaction((tx) => storeOrder(tx, order)))) return;
          nc.publish(userChangedSubject('notifications', order.userId));
          kick();
        },
      },
      lifecycle,
    );
}

/** @returns whether the email is new */
async function storeOrder(tx: Tx, order: Order): Promise<boolean> {
  const isNew = await insertMail(tx.sql, order);
  const { id, userId, mail } = order;
  if (isNew && isNotification(mail))
    await insertNotifications(tx, [{ userId, cause: `mail:${id}`, content: mail }]);
  return isNew;
}

/** Some emails are also notifications in the panel. */
const isNotification = (mail: Mail): mail is Mail & NotificationContent => mail.kind in notificationKinds;
