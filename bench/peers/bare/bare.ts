import fastify from 'fastify';

/** The limit: a Fastify that answers the same bytes, and does nothing else. */
const app = fastify();
process.once('message', async (answers: Record<string, string>) => {
  for (const [path, text] of Object.entries(answers)) {
    const bytes = Buffer.from(text);
    app.get(path, (_request, reply) =>
      reply.header('content-type', 'application/json; charset=utf-8').send(bytes),
    );
  }
  await app.listen({ host: '127.0.0.1', port: 0 });
  process.send?.({ port: (app.server.address() as { port: number }).port });
});
