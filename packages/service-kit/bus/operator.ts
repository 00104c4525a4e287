import { randomUUID } from 'node:crypto';
import type { InternalCalls, InternalName } from '@talpa/contracts';
import type { z } from 'zod';
import { openBus } from './connect.ts';
import { callInternal, deadlineOf } from './request.ts';

/** Makes one internal call as the operator, on a connection of its own. */
export async function askOperator<N extends InternalName>(
  natsUrl: string,
  call: N,
  input: z.input<InternalCalls[N]['input']>,
): Promise<z.output<InternalCalls[N]['response']>> {
  const nc = await openBus(natsUrl, 'operator');
  try {
    const deadlineAt = Date.now() + deadlineOf(call);
    return await callInternal(nc, call, input, { requestId: randomUUID(), language: 'de', deadlineAt });
  } finally {
    await nc.close();
  }
}
