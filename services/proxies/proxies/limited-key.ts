import type { Actor } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';

/** A key that is limited to some proxies would not reach what it creates. @throws AppError `api_key_proxies` */
export function refuseLimitedKey({ apiKey }: Actor): void {
  if (apiKey?.proxyIds) throw new AppError('api_key_proxies');
}
