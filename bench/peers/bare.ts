import fastify from 'fastify';

/** A response to repeat. */
export interface ResponseBody {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The limit: a Fastify that answers the same bytes, and does nothing else. */
const app = fastify();
process.once('message', async (answers: Record<string, ResponseBody>) => {
  for (const [path, { text, headers }] of Object.entries(answers)) {
    const bytes = Buffer.from(text);
    app.get(path, (_request, reply) => reply.headers(headers).send(bytes));
  }
  await app.listen({ host: '127.0.0.1', port: 0 });
  process.send?.({ port: (app.server.address() as { port: number }).port });
});
