import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import {
  type Actor,
  authWork,
  cachingSessions,
  openDatabase,
  type ProxyInput,
  providerWork,
  proxiesWork,
  Refusal,
  sessionIdOf,
  statsWork,
} from '../work.ts';

/** One process, no bus: what a panel of this size is often built as. */
const sql = openDatabase();
const auth = authWork(sql);
const proxies = proxiesWork(sql, providerWork(), statsWork(sql).keep);
const getSession = cachingSessions(auth.getSession);

const signedIn: RequestHandler = async (request, response, next) => {
  const actor = await getSession(sessionIdOf(request.headers.cookie));
  if (!actor) throw new Refusal(401, 'not signed in');
  response.locals.actor = actor;
  next();
};
const actorOf = (locals: Record<string, unknown>) => locals.actor as Actor;
const refused: ErrorRequestHandler = (error, _request, response, _next) => {
  response.status(error instanceof Refusal ? error.status : 500).json({ message: error.message });
};

const app = express();
app.disable('x-powered-by');
app.use(express.json());
app.use(signedIn);
app.get('/api/user', async (_request, response) => {
  response.json(await auth.getUser(actorOf(response.locals).userId));
});
app.get('/api/tunnel-configs', async (_request, response) => {
  response.json(await proxies.list(actorOf(response.locals).userId));
});
app.post('/api/tunnel-configs', async (request, response) => {
  const body = request.body as ProxyInput;
  if (!body?.serverName || !body.serverIP || !Number.isInteger(body.adminPort))
    throw new Refusal(400, 'invalid');
  response.status(201).json(await proxies.create(actorOf(response.locals).userId, body));
});
app.delete('/api/tunnel-configs/:id', async (request, response) => {
  await proxies.remove(actorOf(response.locals).userId, Number(request.params.id));
  response.status(204).end();
});
app.use(refused);
const server = app.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as { port: number }).port }),
);
