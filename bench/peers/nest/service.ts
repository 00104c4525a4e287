import { Controller, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  type ClientProxy,
  ClientsModule,
  MessagePattern,
  type MicroserviceOptions,
  Payload,
  Transport,
} from '@nestjs/microservices';
import { firstValueFrom } from 'rxjs';
import { carried } from './carried.ts';
import { openStream, proxiesWork, startRelay, statsWork, tunnelsWork } from './durable-work.ts';
import {
  type Actor,
  type Applied,
  authWork,
  natsUrl,
  openDatabase,
  type ProxyInput,
  providerWork,
} from './work.ts';

const stream = await openStream();

@Controller()
class AuthController {
  private readonly auth = authWork(openDatabase());

  @MessagePattern('auth.getSession')
  getSession(@Payload() { sessionId }: { sessionId: string }) {
    return this.auth.getSession(sessionId);
  }

  @MessagePattern('auth.getUser')
  getUser(@Payload() { actor }: { actor: Actor }) {
    return carried(() => this.auth.getUser(actor.userId));
  }
}

@Controller()
class ProxiesController {
  private readonly sql = openDatabase();
  private readonly proxies = proxiesWork(this.sql, startRelay(this.sql, stream));

  @MessagePattern('proxies.list')
  list(@Payload() { actor }: { actor: Actor }) {
    return this.proxies.list(actor.userId);
  }

  @MessagePattern('proxies.create')
  create(@Payload() { actor, input }: { actor: Actor; input: ProxyInput }) {
    return carried(() => this.proxies.create(actor.userId, input));
  }

  @MessagePattern('proxies.remove')
  remove(@Payload() { actor, id }: { actor: Actor; id: number }) {
    return carried(async () => {
      await this.proxies.remove(actor.userId, id);
      return true;
    });
  }

  @MessagePattern('proxies.desired')
  desired(@Payload() { uuid }: { uuid: string }) {
    return this.proxies.desired(uuid);
  }

  @MessagePattern('proxies.report')
  async report(@Payload() { uuid, applied }: { uuid: string; applied: Applied | null }) {
    await this.proxies.report(uuid, applied);
    return true;
  }
}

@Controller()
class StatsController implements OnModuleInit {
  private readonly stats = statsWork(openDatabase());

  onModuleInit() {
    void stream.consume('durable.audit', this.stats.keepAudit);
    void stream.consume('durable.state', async (state: Parameters<typeof this.stats.keepState>[0]) =>
      this.stats.keepState(state),
    );
  }
}

@Controller()
class TunnelsController implements OnModuleInit {
  private readonly tunnels;

  constructor(@Inject('BUS') bus: ClientProxy) {
    type Proxies = ReturnType<typeof proxiesWork>;
    type Desired = Awaited<ReturnType<Proxies['desired']>>;
    this.tunnels = tunnelsWork(openDatabase(), providerWork(), {
      desired: (uuid) => firstValueFrom(bus.send<Desired>('proxies.desired', { uuid })),
      report: (uuid, applied) => firstValueFrom(bus.send<void>('proxies.report', { uuid, applied })),
    });
  }

  onModuleInit() {
    void stream.consume('durable.command', this.tunnels.enqueue);
  }
}

const bus = ClientsModule.register([
  { name: 'BUS', transport: Transport.NATS, options: { servers: [natsUrl()] } },
]);

@Module({ controllers: [AuthController] })
class AuthModule {}

@Module({ controllers: [ProxiesController] })
class ProxiesModule {}

@Module({ controllers: [StatsController] })
class StatsModule {}

@Module({ imports: [bus], controllers: [TunnelsController] })
class TunnelsModule {}

const modules = { auth: AuthModule, proxies: ProxiesModule, stats: StatsModule, tunnels: TunnelsModule };
const name = process.argv[2] as keyof typeof modules;
const app = await NestFactory.createMicroservice<MicroserviceOptions>(modules[name], {
  transport: Transport.NATS,
  options: { servers: [natsUrl()], queue: name },
  logger: ['error'],
});
await app.listen();
process.send?.({ port: 0 });
