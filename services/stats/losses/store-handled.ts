import type { JsMsg } from '@nats-io/jetstream';
import type { Sql } from '@talpa/service-kit/database/sql';
import { drop, type Handling } from '@talpa/service-kit/events/settle';

/** Stores what was handled, or given up, before it is acknowledged, so that whatever else leaves the stream is known to be lost. */
export const storingHandled = (sql: Sql, handling: Handling): Handling => ({
  ...handling,
  handle: async (messages) => {
    await handling.handle(messages);
    await storeHandled(sql, handling.stream, messages);
  },
  giveUp: async (message, why, log) => {
    await (handling.giveUp ?? drop)(message, why, log);
    await storeHandled(sql, handling.stream, [message]);
  },
});

async function storeHandled(sql: Sql, stream: string, messages: readonly JsMsg[]): Promise<void> {
  const numbers = messages.map(({ seq }) => `[${seq},${seq}]`).join();
  await sql`
    insert into handled_messages as before (stream, handled) values (${stream}, ${`{${numbers}}`}::int8multirange)
    on conflict (stream) do update set handled = before.handled + excluded.handled`;
}
