import { commands } from '@talpa/contracts';
import { commandConsumer, streams, userChangedSubject } from '@talpa/service-kit/bus/subjects';
import { startConsumer } from '@talpa/service-kit/events/consume';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';
import { insertMail } from './sql.ts';

const name = 'notifications.sendMail';

/** Stores the emails that services order. One that this version cannot read waits on the bus for a version that can. */
export function receiveMails({ nc, sql }: ServiceBase, kick: () => void, lifecycle: Lifecycle): void {
  startConsumer(
    nc,
    {
      stream: streams.commands,
      durable: commandConsumer(name),
      concurrency: 8,
      handle: async (message) => {
        const order = commands[name].schema.parse(message.json());
        if (!(await insertMail(sql, order))) return;
        nc.publish(userChangedSubject('notifications', order.userId));
        kick();
      },
    },
    lifecycle,
  );
}
