import { Errors, ServiceBroker } from 'moleculer';
import ApiGateway from 'moleculer-web';
import {
  type Actor,
  type Applied,
  authWork,
  type Change,
  cachingSessions,
  natsUrl,
  openDatabase,
  type ProxyInput,
  providerWork,
  proxiesWork,
  Refusal,
  sessionIdOf,
  statsWork,
} from '../work.ts';

/*
 * A Moleculer node, one service each: NATS transporter, validation by its own validator, the gateway of
 * moleculer-web with its `authenticate`, as its documentation shows. Metrics, tracing and log are off.
 */
const name = process.argv[2] ?? '';
const broker = new ServiceBroker({
  nodeID: name,
  transporter: natsUrl(),
  logger: false,
  validator: true,
  requestTimeout: 12_000,
});

/** A refusal as Moleculer carries it from node to node. */
async function carried<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw new Errors.MoleculerClientError(error.message, error.status);
    throw error;
  }
}

interface Meta {
  readonly user: Actor;
}

/** One service a process. */
const services = {
  gateway: () => {
    const getSession = cachingSessions((sessionId) => broker.call('auth.getSession', { sessionId }));
    broker.createService({
      name: 'api',
      mixins: [ApiGateway],
      settings: {
        port: 0,
        ip: '127.0.0.1',
        routes: [
          {
            path: '/api',
            authentication: true,
            mappingPolicy: 'restrict',
            bodyParsers: { json: true },
            aliases: {
              'GET user': 'auth.getUser',
              'GET tunnel-configs': 'proxies.list',
              'POST tunnel-configs': 'proxies.create',
              'DELETE tunnel-configs/:id': 'proxies.remove',
            },
          },
        ],
      },
      methods: {
        async authenticate(_ctx: unknown, _route: unknown, request: { headers: { cookie?: string } }) {
          const actor = await carried(() => getSession(sessionIdOf(request.headers.cookie)));
          if (!actor) throw new Errors.MoleculerClientError('not signed in', 401);
          return actor;
        },
      },
    });
  },
  auth: () => {
    const auth = authWork(openDatabase());
    broker.createService({
      name: 'auth',
      actions: {
        getSession: {
          params: { sessionId: 'uuid' },
          handler: (ctx: { params: { sessionId: string } }) => auth.getSession(ctx.params.sessionId),
        },
        getUser: (ctx: { meta: Meta }) => carried(() => auth.getUser(ctx.meta.user.userId)),
      },
    });
  },
  proxies: () => {
    const tunnels = {
      create: (wanted: object) => broker.call<Applied, object>('tunnels.create', wanted),
      remove: (applied: object) => broker.call<void, object>('tunnels.remove', applied),
    };
    const proxies = proxiesWork(openDatabase(), tunnels, (change) => broker.emit('proxy.changed', change));
    broker.createService({
      name: 'proxies',
      actions: {
        list: (ctx: { meta: Meta }) => proxies.list(ctx.meta.user.userId),
        create: {
          params: {
            serverName: 'string|min:1|max:100',
            serverIP: 'string|min:1|max:253',
            adminPort: 'number|integer|min:1|max:65535|convert',
            customUrl: { type: 'string', nullable: true, optional: true },
          },
          handler: async (ctx: { meta: Meta & { $statusCode?: number }; params: ProxyInput }) => {
            ctx.meta.$statusCode = 201;
            return carried(() => proxies.create(ctx.meta.user.userId, ctx.params));
          },
        },
        remove: {
          params: { id: 'number|integer|positive|convert' },
          handler: async (ctx: { meta: Meta & { $statusCode?: number }; params: { id: number } }) => {
            ctx.meta.$statusCode = 204;
            await carried(() => proxies.remove(ctx.meta.user.userId, ctx.params.id));
          },
        },
      },
    });
  },
  stats: () => {
    const stats = statsWork(openDatabase());
    broker.createService({
      name: 'stats',
      events: { 'proxy.changed': (ctx: { params: Change }) => stats.keep(ctx.params) },
    });
  },
  tunnels: () => {
    const provider = providerWork();
    broker.createService({
      name: 'tunnels',
      actions: {
        create: (ctx: { params: Parameters<typeof provider.create>[0] }) => provider.create(ctx.params),
        remove: (ctx: { params: Parameters<typeof provider.remove>[0] }) => provider.remove(ctx.params),
      },
    });
  },
};

services[name as keyof typeof services]();
await broker.start();
const [api] = broker.services.filter((service) => service.name === 'api');
if (api) await broker.waitForServices(['auth', 'proxies', 'tunnels']);
process.send?.({
  port: api ? (api as unknown as { server: { address(): { port: number } } }).server.address().port : 0,
});
