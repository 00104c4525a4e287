import type { AddressInfo } from 'node:net';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  HttpException,
  Inject,
  Module,
  Param,
  ParseIntPipe,
  Post,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type ClientProxy, ClientsModule, Transport } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { catchError, throwError } from 'rxjs';
import type { ProxyInputDto } from './proxy-input.dto.ts';
import { SessionGuard, SignedIn } from './session.guard.ts';
import { type Actor, natsUrl } from './work.ts';

@Controller('api')
@UseGuards(SessionGuard)
class ApiController {
  private readonly bus;

  constructor(@Inject('BUS') bus: ClientProxy) {
    this.bus = bus;
  }

  @Get('user')
  getUser(@SignedIn() actor: Actor) {
    return this.send('auth.getUser', { actor });
  }

  @Get('tunnel-configs')
  listProxies(@SignedIn() actor: Actor) {
    return this.send('proxies.list', { actor });
  }

  @Post('tunnel-configs')
  createProxy(@SignedIn() actor: Actor, @Body() input: ProxyInputDto) {
    return this.send('proxies.create', { actor, input });
  }

  @Delete('tunnel-configs/:id')
  @HttpCode(204)
  removeProxy(@SignedIn() actor: Actor, @Param('id', ParseIntPipe) id: number) {
    return this.send('proxies.remove', { actor, id });
  }

  private send(pattern: string, data: object) {
    return this.bus
      .send(pattern, data)
      .pipe(
        catchError((error: { status?: number | string; message: string }) =>
          throwError(() => new HttpException(error.message, Number(error.status) || 500)),
        ),
      );
  }
}

@Module({
  imports: [
    ClientsModule.register([{ name: 'BUS', transport: Transport.NATS, options: { servers: [natsUrl()] } }]),
  ],
  controllers: [ApiController],
  providers: [SessionGuard],
})
class GatewayModule {}

const app = await NestFactory.create<NestFastifyApplication>(GatewayModule, new FastifyAdapter(), {
  logger: ['error'],
});
app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
await app.listen(0, '127.0.0.1');
process.send?.({ port: (app.getHttpServer().address() as AddressInfo).port });
