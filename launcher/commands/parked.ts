import { internalCalls } from '@talpa/contracts';
import { PlainError } from '../say.ts';
import { command } from './command.ts';

export const parkedList = command({
  usage: 'parked list',
  summary: 'show the proxies whose provisioning was given up',
  run: async ({ instance, say }) => {
    const parked = await instance.ask('worker.listParked', {});
    if (parked.length === 0) say('Nothing is parked.');
    for (const { proxyId, parkedAt, failures, detail } of parked)
      say(`${proxyId}  since ${parkedAt}, ${failures} failures: ${detail}`);
  },
});

export const parkedRetry = command({
  usage: 'parked retry [id]',
  summary: 'try parked provisioning again: that of one proxy, or all of it',
  run: async ({ words: [proxyId], instance, say }) => {
    const input = internalCalls['worker.retryParked'].input.safeParse({ proxyId });
    if (!input.success) throw new PlainError(`${proxyId} is no id of “parked list”.`);
    const { woken } = await instance.ask('worker.retryParked', input.data);
    if (proxyId && woken === 0) throw new PlainError(`${proxyId} is not parked.`);
    say(`${woken} ${woken === 1 ? 'proxy is' : 'proxies are'} tried again.`);
  },
});
