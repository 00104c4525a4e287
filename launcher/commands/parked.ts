import { type InternalCalls, internalCalls } from '@talpa/contracts';
import type { z } from 'zod';
import { CliError } from '../cli.ts';
import { counted } from '../counted.ts';
import { command } from './command.ts';

type Names = z.output<InternalCalls['proxies.nameProxies']['answer']>[number];

function nameOf(names: Names | undefined): string {
  if (!names) return 'unknown proxy';
  const { id, serverName, hostname, ownerName, deleted } = names;
  return `${deleted ? 'deleted ' : ''}proxy ${id} “${serverName}” of ${ownerName ?? 'an unknown owner'} (${hostname})`;
}

export const parkedList = command({
  usage: 'parked list',
  summary: 'list proxies whose provisioning was given up after repeated failures',
  run: async ({ instance, log }) => {
    const parked = await instance.ask('worker.listParked', {});
    if (parked.length === 0) return log('Nothing is parked.');
    const proxyIds = parked.map(({ proxyId }) => proxyId);
    const named = await instance.ask('proxies.nameProxies', { proxyIds });
    for (const { proxyId, parkedAt, failures, detail } of parked) {
      const name = nameOf(named.find((one) => one.proxyId === proxyId));
      log(`${proxyId}  ${name}, since ${parkedAt}, ${counted(failures, 'failure')}: ${detail}`);
    }
  },
});

export const parkedRetry = command({
  usage: 'parked retry [id]',
  summary: 'retry parked provisioning, for one proxy or for all',
  run: async ({ words: [proxyId], instance, log }) => {
    const input = internalCalls['worker.retryParked'].input.safeParse({ proxyId });
    if (!input.success) throw new CliError(`“${proxyId}” is not an ID from “parked list”.`);
    const { woken } = await instance.ask('worker.retryParked', input.data);
    if (proxyId && woken === 0) throw new CliError(`${proxyId} is not parked.`);
    log(`Retrying ${counted(woken, 'proxy', 'proxies')}.`);
  },
});
