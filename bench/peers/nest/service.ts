import { Controller, Inject, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  type ClientProxy,
  ClientsModule,
  EventPattern,
  MessagePattern,
  type MicroserviceOptions,
  Payload,
  Transport,
} from '@nestjs/microservices';
import { firstValueFrom } from 'rxjs';
import {
  type Actor,
  type Applied,
  authWork,
  type Change,
  natsUrl,
  openDatabase,
  type ProviderWork,
  type ProxyInput,
  providerWork,
  proxiesWork,
  statsWork,
} from '../work.ts';
import { carried } from './carried.ts';

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
  private readonly proxies;

  constructor(@Inject('BUS') bus: ClientProxy) {
    const tunnels = {
      create: (wanted: object) => firstValueFrom(bus.send<Applied>('tunnels.create', wanted)),
      remove: (applied: object) => firstValueFrom(bus.send<void>('tunnels.remove', applied)),
    };
    this.proxies = proxiesWork(openDatabase(), tunnels, (change) =>
      firstValueFrom(bus.emit('proxy.changed', change), { defaultValue: undefined }),
    );
  }

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
}

@Controller()
class StatsController {
  private readonly stats = statsWork(openDatabase());

  @EventPattern('proxy.changed')
  keep(@Payload() change: Change) {
    return this.stats.keep(change);
  }
}

@Controller()
class TunnelsController {
  private readonly provider = providerWork();

  @MessagePattern('tunnels.create')
  create(@Payload() wanted: Parameters<ProviderWork['create']>[0]) {
    return this.provider.create(wanted);
  }

  @MessagePattern('tunnels.remove')
  async remove(@Payload() applied: Parameters<ProviderWork['remove']>[0]) {
    await this.provider.remove(applied);
    return true;
  }
}

const bus = ClientsModule.register([
  { name: 'BUS', transport: Transport.NATS, options: { servers: [natsUrl()] } },
]);

@Module({ controllers: [AuthController] })
class AuthModule {}

@Module({ imports: [bus], controllers: [ProxiesController] })
class ProxiesModule {}

@Module({ controllers: [StatsController] })
class StatsModule {}

@Module({ controllers: [TunnelsController] })
class TunnelsModule {}

const modules = { auth: AuthModule, stats: StatsModule, proxies: ProxiesModule, tunnels: TunnelsModule };
const name = process.argv[2] as keyof typeof modules;
const app = await NestFactory.createMicroservice<MicroserviceOptions>(modules[name], {
  transport: Transport.NATS,
  options: { servers: [natsUrl()], queue: name },
  logger: ['error'],
});
await app.listen();
process.send?.({ port: 0 });
