import type { NatsConnection } from '@nats-io/transport-node';
import { type CommandName, type CommandOf, commands } from '@talpa/contracts';
import { commandSource } from '../bus/subjects.ts';
import { type TransactionTools, type Tx, withTransaction } from '../database/transaction.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import { startConsumer } from './consume.ts';

/**
 * Carries out the commands of a name, each in a transaction, and acknowledges them after COMMIT: a command may come again. One that this
 * version cannot read waits on the bus for a version that can.
 * @param concurrency how many are carried out at the same time
 */
export function runCommands<N extends CommandName>(
  name: N,
  carryOut: (tx: Tx, command: CommandOf<N>) => Promise<void>,
  tools: TransactionTools & { readonly nc: NatsConnection },
  lifecycle: Lifecycle,
  { concurrency = 4 }: { readonly concurrency?: number } = {},
): void {
  startConsumer(
    tools.nc,
    {
      ...commandSource(name),
      concurrency,
      handle: async (message) => {
        const command = commands[name].schema.parse(message.json()) as CommandOf<N>;
        await withTransaction(tools, (tx) => carryOut(tx, command));
      },
    },
    lifecycle,
  );
}
