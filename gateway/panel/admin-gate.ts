import { AppError } from '@talpa/service-kit/app-error';
import { deadlineOf } from '@talpa/service-kit/bus/request';
import { authenticateCounted } from '../api/authenticate-counted.ts';
import type { AuthorizeParts } from '../api/authorize.ts';
import { languageOf } from '../api/errors.ts';
import type { Gate } from './panel.ts';

/**
 * The admin remote is there for administrators alone; no other user can see that it exists. Each file may ask auth
 * who it is, so it counts as a request.
 */
export function createAdminGate(parts: AuthorizeParts): Gate {
  return async (request) => {
    const claim = parts.sessions.claimOf(request.raw);
    if (!claim) throw new AppError('not_found');
    const deadlineAt = Date.now() + deadlineOf('auth.getSession');
    const info = { requestId: request.id, language: languageOf(request), deadlineAt };
    const { requester } = await authenticateCounted(parts, request, {
      claim,
      use: false,
      info,
      isGlobal: false,
    });
    if (!requester.actor?.isAdmin) throw new AppError('not_found');
  };
}
