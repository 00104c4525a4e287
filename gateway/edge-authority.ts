import { readFile } from 'node:fs/promises';
import { edgeAuthorityPath } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { FastifyInstance } from 'fastify';

/**
 * Serves the certificate authority that connectors must trust to use our edge; public, as every authority's.
 * @param file its PEM; read each time, because it may be renewed
 */
export function registerEdgeAuthority(app: FastifyInstance, file: string | undefined): void {
  app.get(edgeAuthorityPath, async (_request, reply) =>
    reply
      .headers({ 'content-type': 'application/x-pem-file', 'cache-control': 'no-cache' })
      .send(await readAuthority(file)),
  );
}

/**
 * The certificates alone: the file may hold the key too, which goes nowhere.
 * @throws AppError `not_found` where there is no edge of ours; `service_unavailable` until that has made it, at its first start
 */
export async function readAuthority(file: string | undefined): Promise<string> {
  const pem = file && (await readFile(file, 'utf8').catch(refuseMissing));
  const certificates = pem?.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g);
  if (!certificates) throw new AppError('not_found');
  return `${certificates.join('\n')}\n`;
}

function refuseMissing(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? new AppError('service_unavailable') : error;
}
