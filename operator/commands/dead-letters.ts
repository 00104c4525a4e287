import { type InternalCalls, internalCalls } from '@talpa/contracts';
import { CliError } from '@talpa/instance/cli';
import { counted } from '@talpa/instance/counted';
import type { z } from 'zod';
import { command } from './command.ts';

type Names = z.output<InternalCalls['proxies.nameProxies']['response']>[number];

function nameOf(names: Names | undefined): string {
  if (!names) return 'unknown proxy';
  const { id, serverName, hostname, ownerName, deleted } = names;
  return `${deleted ? 'deleted ' : ''}proxy ${id} “${serverName}” of ${ownerName ?? 'an unknown owner'} (${hostname})`;
}

export const deadLettersList = command({
  usage: 'dead-letters list',
  summary: 'list proxies whose provisioning keeps failing',
  run: async ({ instance, log }) => {
    const letters = await instance.ask('tunnel-worker.listDeadLetters', {});
    if (letters.length === 0) return log('There are no dead letters.');
    const proxyIds = letters.map(({ proxyId }) => proxyId);
    const named = await instance.ask('proxies.nameProxies', { proxyIds });
    for (const { proxyId, deadLetterAt, failures, detail } of letters) {
      const name = nameOf(named.find((one) => one.proxyId === proxyId));
      log(`${proxyId}  ${name}, since ${deadLetterAt}, ${counted(failures, 'failure')}: ${detail}`);
    }
  },
});

export const deadLettersRetry = command({
  usage: 'dead-letters retry [id]',
  summary: 'retry dead letters of one proxy, or all',
  run: async ({ words: [proxyId], instance, log }) => {
    const input = internalCalls['tunnel-worker.retryDeadLetters'].input.safeParse({ proxyId });
    if (!input.success) throw new CliError(`“${proxyId}” is not an ID from “dead-letters list”.`);
    const { enqueued } = await instance.ask('tunnel-worker.retryDeadLetters', input.data);
    if (proxyId && enqueued === 0) throw new CliError(`${proxyId} is not a dead letter.`);
    log(`Retrying ${counted(enqueued, 'proxy', 'proxies')}.`);
  },
});
