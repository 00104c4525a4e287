import type { InputOf, Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { fitting, pageBytes } from '@talpa/service-kit/database/page';
import { type Owner, ofOwner } from '../channels/sql.ts';
import type { NotificationsContext } from '../context.ts';
import { type DeliveryRow, deliveryColumns, publicDelivery, shownDelivery } from './sql.ts';

/** What was sent to a channel of the caller, the newest first. */
export const listDeliveries: Verb<
  Routes['GET /api/user/channels/:id/deliveries'],
  NotificationsContext
> = async (context, input) => (await list(context, input, context.actor.userId)).map(publicDelivery);

/** The same for the installation. */
export const listInstallationDeliveries: Verb<
  Routes['GET /api/admin/channels/:id/deliveries'],
  NotificationsContext
> = async (context, input) => (await list(context, input, null)).map(shownDelivery);

async function list(
  context: NotificationsContext,
  { id, limit, cursor }: InputOf<Routes['GET /api/admin/channels/:id/deliveries']>,
  owner: Owner,
): Promise<DeliveryRow[]> {
  const { reads } = context;
  const [channel] = await reads`select 1 from channels where id = ${id} and ${ofOwner(reads, owner)}`;
  if (!channel) throw new AppError('not_found');
  const rows = await reads<DeliveryRow[]>`
    select ${deliveryColumns(reads)} from deliveries
    where channel_id = ${id} ${cursor === undefined ? reads`` : reads`and id < ${cursor}`}
    order by id desc limit ${limit + 1}`;
  const shown = fitting(rows.slice(0, limit), (row) => row, pageBytes);
  const last = shown.at(-1);
  context.setPage({ next: rows.length > shown.length && last ? String(last.id) : null, total: null });
  return shown;
}

/** One of them, with its request and response. */
export const getDelivery: Verb<Routes['GET /api/user/deliveries/:id'], NotificationsContext> = async (
  context,
  { id },
) => {
  const { request, answer, ...row } = await get(context, id, context.actor.userId);
  return { ...publicDelivery(row), request, answer };
};

/** The same for the installation. */
export const getInstallationDelivery: Verb<
  Routes['GET /api/admin/deliveries/:id'],
  NotificationsContext
> = async (context, { id }) => {
  const { request, answer, ...row } = await get(context, id, null);
  return { ...shownDelivery(row), request, answer };
};

async function get({ reads }: NotificationsContext, id: number, owner: Owner) {
  const [row] = await reads<(DeliveryRow & { request: string | null; answer: string | null })[]>`
    select ${deliveryColumns(reads)}, request, answer from deliveries join channels on channels.id = channel_id
    where deliveries.id = ${id} and ${ofOwner(reads, owner)}`;
  if (!row) throw new AppError('not_found');
  return row;
}
