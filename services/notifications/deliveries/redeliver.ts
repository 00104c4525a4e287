import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { userChangedSubject } from '@talpa/service-kit/bus/subjects';
import { aboutChannel, type Owner, ofOwner } from '../channels/sql.ts';
import type { NotificationsContext, SignedInContext } from '../context.ts';
import { type DeliveryRow, deliveryColumns, publicDelivery, shownDelivery } from './sql.ts';

/** Sends a message again that was sent before, or was never to be sent. It keeps its id, by which receivers know it. */
export const redeliver: Verb<Routes['POST /api/user/deliveries/:id/sending'], NotificationsContext> = async (
  context,
  { id },
) => publicDelivery(await sendAgain(context, id, context.actor.userId));

/** The same for the installation. */
export const redeliverInstallation: Verb<
  Routes['POST /api/admin/deliveries/:id/sending'],
  NotificationsContext
> = async (context, { id }) => shownDelivery(await sendAgain(context, id, null));

async function sendAgain(context: SignedInContext, id: number, owner: Owner): Promise<DeliveryRow> {
  const { userId } = context.actor;
  const row = await context.transaction(async (tx) => {
    const [found] = await tx.sql<{ channelId: number; name: string }[]>`
      select channel_id, name from deliveries join channels on channels.id = channel_id
      where deliveries.id = ${id} and ${ofOwner(tx.sql, owner)} for update of deliveries`;
    if (!found) throw new AppError('not_found');
    const [queued] = await tx.sql<DeliveryRow[]>`
      update deliveries set state = 'queued', state_at = now(), due_at = now(), failures = 0
      where id = ${id} and state <> 'sending' and (state <> 'queued' or attempts > 0)
      returning ${deliveryColumns(tx.sql)}`;
    if (!queued) throw new AppError('delivery_on_its_way');
    await tx.audit(aboutChannel(owner, found.channelId, found.name, userId));
    return queued;
  });
  context.nc.publish(userChangedSubject('notifications', userId));
  context.kickDeliveries();
  return row;
}
