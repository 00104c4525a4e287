import type { JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type CommandName, type CommandOf, commands } from '@talpa/contracts';
import { z } from 'zod';
import { readMessage } from '../bus/read-message.ts';
import { commandSource } from '../bus/subjects.ts';
import { type TransactionTools, type Tx, withTransaction } from '../database/transaction.ts';
import type { Log } from '../log.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import { startConsumer } from './consume.ts';

/**
 * Reads a command; null when it is none, whatever version of its sender wrote it. One that only a newer version can read waits for it
 * on the bus: nothing that was acknowledged is lost in an upgrade.
 * @throws ZodError for such a one
 */
export function readCommand<N extends CommandName>(message: JsMsg, name: N, log: Log): CommandOf<N> | null {
  const fields = readMessage(message, z.looseObject({}), log);
  return fields && (commands[name].schema.parse(fields) as CommandOf<N>);
}

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
        const command = readCommand(message, name, lifecycle.log);
        if (command) await withTransaction(tools, (tx) => carryOut(tx, command));
      },
    },
    lifecycle,
  );
}
