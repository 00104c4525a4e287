import { AppError } from '@talpa/service-kit/app-error';
import type { FastifyRequest } from 'fastify';

/** Refuses changes asked for by other sites' pages. */
export type OriginCheck = (request: FastifyRequest) => void;

/**
 * A change needs `Sec-Fetch-Site: same-origin` (or `none`, without a foreign `Origin`), or from clients
 * without that header an `Origin` that is the panel's own: the public URL, or without one the host the request names.
 * @throws (the check) AppError cross_origin
 */
export function createOriginCheck(publicUrl: string | undefined): OriginCheck {
  const ownOrigin = publicUrl === undefined ? null : new URL(publicUrl).origin;
  return (request) => {
    const site = request.headers['sec-fetch-site'];
    if (site === 'same-origin') return;
    const { origin } = request.headers;
    if (site === 'none' && origin === undefined) return;
    if ((site !== undefined && site !== 'none') || origin === undefined) throw new AppError('cross_origin');
    const own = ownOrigin === null ? hostOf(origin) === request.host : origin === ownOrigin;
    if (!own) throw new AppError('cross_origin');
  };
}

/** A read that a browser says another page asked for is refused too, where it costs us something that stays. */
export function checkReader(checkOrigin: OriginCheck, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined || site !== undefined) checkOrigin(request);
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
