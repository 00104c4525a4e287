import type { InternalCalls, InternalName } from '@talpa/contracts';
import type { z } from 'zod';
import { openBus } from './connect.ts';
import { callInternal, systemCall } from './request.ts';

/** Makes one internal call as the operator, on a connection of its own. */
export async function askOperator<N extends InternalName>(
  natsUrl: string,
  call: N,
  input: z.input<InternalCalls[N]['input']>,
): Promise<z.output<InternalCalls[N]['response']>> {
  const nc = await openBus(natsUrl, 'operator');
  try {
    return await callInternal(nc, call, input, systemCall(call));
  } finally {
    await nc.close();
  }
}
