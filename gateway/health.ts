import type { FastifyInstance } from 'fastify';

/** `/livez`: the process runs. `/readyz`: it can work, else 503 with the reason. */
export function registerHealth(
  app: FastifyInstance,
  ready: () => Promise<string | true> | string | true,
): void {
  app.get('/livez', (_request, reply) => reply.header('cache-control', 'no-store').send('ok'));
  app.get('/readyz', async (_request, reply) => {
    const state = await ready();
    reply.header('cache-control', 'no-store').code(state === true ? 200 : 503);
    return reply.send(state === true ? 'ok' : state);
  });
}
