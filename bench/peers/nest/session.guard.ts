import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  HttpException,
  Inject,
  Injectable,
} from '@nestjs/common';
import type { ClientProxy } from '@nestjs/microservices';
import { firstValueFrom } from 'rxjs';
import { type Actor, Refusal, sessionIdOf } from './work.ts';

interface SignedInRequest {
  readonly headers: { readonly cookie?: string };
  actor?: Actor;
}

@Injectable()
export class SessionGuard implements CanActivate {
  private readonly bus;

  constructor(@Inject('BUS') bus: ClientProxy) {
    this.bus = bus;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SignedInRequest>();
    try {
      const sessionId = sessionIdOf(request.headers.cookie);
      const actor = await firstValueFrom(this.bus.send<Actor | null>('auth.getSession', { sessionId }));
      if (!actor) throw new Refusal(401, 'not signed in');
      request.actor = actor;
      return true;
    } catch (error) {
      if (error instanceof Refusal) throw new HttpException(error.message, error.status);
      throw error;
    }
  }
}

export const SignedIn = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<SignedInRequest>().actor,
);
