import { RpcException } from '@nestjs/microservices';
import { Refusal } from './work.ts';

/** A refusal as Nest carries it to the caller. */
export async function carried<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw new RpcException({ status: error.status, message: error.message });
    throw error;
  }
}
