import type { NatsConnection } from '@nats-io/transport-node';
import { type CommandName, type CommandOf, commands } from '@talpa/contracts';
import { readMessage } from '../bus/read-message.ts';
import { commandSource } from '../bus/subjects.ts';
import { type TransactionTools, type Tx, withTransaction } from '../database/transaction.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import { startConsumer } from './consume.ts';

/**
 * Carries out the commands of a name, each in a transaction, and acknowledges them after COMMIT: a command may come again.
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
        const command = readMessage<unknown>(message, commands[name].schema, lifecycle.log);
        if (command) await withTransaction(tools, (tx) => carryOut(tx, command as CommandOf<N>));
      },
    },
    lifecycle,
  );
}
