import type { StatusReason } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';

/** The error for a caller whose request the provider refused. */
export function refusal(reason: StatusReason, hostname: string): AppError {
  if (reason === 'hostname_in_use') return new AppError('hostname_in_use', { params: { hostname } });
  if (reason === 'provider_unavailable') return new AppError('provider_unavailable');
  return new AppError(reason === 'zone_full' ? 'zone_full' : 'tunnel_refused');
}
