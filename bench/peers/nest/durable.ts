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
import {
  durableProxiesWork,
  durableStatsWork,
  durableTunnelsWork,
  openStream,
  startRelay,
} from '../durable-work.ts';
import { type Actor, type Applied, natsUrl, openDatabase, type ProxyInput, providerWork } from '../work.ts';
import { carried } from './carried.ts';

const stream = await openStream();

@Controller()
class ProxiesController {
  private readonly sql = openDatabase();
  private readonly proxies = durableProxiesWork(this.sql, startRelay(this.sql, stream));

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
  private readonly stats = durableStatsWork(openDatabase());

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
    type Proxies = ReturnType<typeof durableProxiesWork>;
    type Desired = Awaited<ReturnType<Proxies['desired']>>;
    this.tunnels = durableTunnelsWork(openDatabase(), providerWork(), {
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

@Module({ controllers: [ProxiesController] })
class ProxiesModule {}

@Module({ controllers: [StatsController] })
class StatsModule {}

@Module({ imports: [bus], controllers: [TunnelsController] })
class TunnelsModule {}

const modules = { proxies: ProxiesModule, stats: StatsModule, tunnels: TunnelsModule };
const name = process.argv[2] as keyof typeof modules;
const app = await NestFactory.createMicroservice<MicroserviceOptions>(modules[name], {
  transport: Transport.NATS,
  options: { servers: [natsUrl()], queue: name },
  logger: ['error'],
});
await app.listen();
process.send?.({ port: 0 });
