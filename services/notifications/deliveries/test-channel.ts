import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { userChangedSubject } from '@talpa/service-kit/bus/subjects';
import { lockChannel } from '../channels/sql.ts';
import type { NotificationsContext } from '../context.ts';
import { type DeliveryRow, deliveryColumns, publicDelivery } from './sql.ts';

/** Sends a test by the way that all messages go, one at a time; also to a channel that is paused or turned off. */
export const testChannel: Verb<Routes['POST /api/user/channels/:id/test'], NotificationsContext> = async (
  context,
  { id },
) => {
  const { userId } = context.actor;
  const row = await context.transaction(async (tx) => {
    const { sql } = tx;
    const channel = await lockChannel(sql, id, userId);
    // An earlier test that still waits for its next attempt says nothing new.
    await sql`
      update deliveries set state = 'canceled', state_at = now(), due_at = null
      where channel_id = ${id} and notifications = '[]' and state = 'queued' and attempts > 0`;
    const [running] = await sql`
      select 1 from deliveries where channel_id = ${id} and notifications = '[]' and due_at is not null`;
    if (running) throw new AppError('delivery_on_its_way');
    const [made] = await sql<[DeliveryRow]>`
      insert into deliveries (channel_id, notifications, state, due_at) values (${id}, '[]', 'queued', now())
      returning ${deliveryColumns(sql)}`;
    await tx.audit({ target: { kind: 'channel', id, label: channel.name }, subjectUserId: userId });
    return made;
  });
  context.nc.publish(userChangedSubject('notifications', userId));
  context.kickDeliveries();
  return publicDelivery(row);
};
