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
import { type Actor, cachingSessions, Refusal, sessionIdOf } from '../work.ts';

interface SignedInRequest {
  readonly headers: { readonly cookie?: string };
  actor?: Actor;
}

@Injectable()
export class SessionGuard implements CanActivate {
  private readonly getSession;

  constructor(@Inject('BUS') bus: ClientProxy) {
    this.getSession = cachingSessions((sessionId) =>
      firstValueFrom(bus.send<Actor | null>('auth.getSession', { sessionId })),
    );
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SignedInRequest>();
    try {
      const actor = await this.getSession(sessionIdOf(request.headers.cookie));
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
