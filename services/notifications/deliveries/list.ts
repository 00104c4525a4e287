import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { NotificationsContext } from '../context.ts';
import { type DeliveryRow, deliveryColumns, publicDelivery } from './sql.ts';

/** What was sent to a channel of the caller, the newest first. */
export const listDeliveries: Verb<
  Routes['GET /api/user/channels/:id/deliveries'],
  NotificationsContext
> = async (context, { id, limit, cursor }) => {
  const { reads, actor } = context;
  const [channel] = await reads`select 1 from channels where id = ${id} and user_id = ${actor.userId}`;
  if (!channel) throw new AppError('not_found');
  const rows = await reads<DeliveryRow[]>`
    select ${deliveryColumns(reads)} from deliveries
    where channel_id = ${id} ${cursor === undefined ? reads`` : reads`and id < ${cursor}`}
    order by id desc limit ${limit + 1}`;
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  context.setPage({ next: rows.length > limit && last ? String(last.id) : null, total: null });
  return shown.map(publicDelivery);
};

/** One of them, with its request and response. */
export const getDelivery: Verb<Routes['GET /api/user/deliveries/:id'], NotificationsContext> = async (
  { reads, actor },
  { id },
) => {
  const [row] = await reads<(DeliveryRow & { request: string | null; answer: string | null })[]>`
    select ${deliveryColumns(reads)}, request, answer from deliveries join channels on channels.id = channel_id
    where deliveries.id = ${id} and user_id = ${actor.userId}`;
  if (!row) throw new AppError('not_found');
  const { request, answer } = row;
  const { request: _request, answer: _answer, ...listed } = row;
  return { ...publicDelivery(listed), request, answer };
};
