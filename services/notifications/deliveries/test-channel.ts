import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { userChangedSubject } from '@talpa/service-kit/bus/subjects';
import { aboutChannel, lockChannel, type Owner } from '../channels/sql.ts';
import type { NotificationsContext, SignedInContext } from '../context.ts';
import { type DeliveryRow, deliveryColumns, publicDelivery, shownDelivery } from './sql.ts';

/** Sends a test by the way that all messages go, one at a time; also to a channel that is paused or turned off. */
export const testChannel: Verb<Routes['POST /api/user/channels/:id/test'], NotificationsContext> = async (
  context,
  { id },
) => publicDelivery(await sendTest(context, id, context.actor.userId));

/** The same for the installation. */
export const testInstallationChannel: Verb<
  Routes['POST /api/admin/channels/:id/test'],
  NotificationsContext
> = async (context, { id }) => shownDelivery(await sendTest(context, id, null));

async function sendTest(context: SignedInContext, id: number, owner: Owner): Promise<DeliveryRow> {
  const { userId } = context.actor;
  const row = await context.transaction(async (tx) => {
    const { sql } = tx;
    const channel = await lockChannel(sql, id, owner);
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
    await tx.audit(aboutChannel(owner, id, channel.name, userId));
    return made;
  });
  context.nc.publish(userChangedSubject('notifications', userId));
  context.kickDeliveries();
  return row;
}
