import { start } from '../kit/children.ts';
import type { ResponseBody } from '../peers/bare.ts';
import type { System } from './system.ts';

/**
 * The limit: bare Fastify with these bytes.
 * @param name what it is called in tables
 */
export async function startBare(
  name: string,
  answers: Readonly<Record<string, ResponseBody>>,
): Promise<System> {
  const { pid, port } = await start('peers/bare.ts', { say: answers });
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    parts: { gateway: pid },
    readers: [],
    writers: [],
  };
}
