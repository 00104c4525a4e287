import { type Actor, needsStepUp } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';

/** For verbs with `stepUp: 'sometimes'`. @throws AppError `step_up_required`, `session_required` for an API key */
export function requireStepUp(actor: Actor): void {
  if (actor.apiKey) throw new AppError('session_required');
  if (needsStepUp(actor)) throw new AppError('step_up_required');
}
