import { readFile } from 'node:fs/promises';
import { edgeAuthorityPath } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { FastifyInstance } from 'fastify';

/**
 * Serves the certificate authority that connectors must trust to use our edge; public, as every authority's.
 * @param file its PEM; read each time, because it may be renewed
 */
export function registerEdgeAuthority(app: FastifyInstance, file: string | undefined): void {
  app.get(edgeAuthorityPath, async (_request, reply) => {
    if (!file) throw new AppError('not_found');
    const pem = await readFile(file, 'utf8');
    // The file may hold the key too; it goes nowhere.
    const certificates = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g);
    if (!certificates) throw new AppError('not_found');
    return reply
      .headers({ 'content-type': 'application/x-pem-file', 'cache-control': 'no-cache' })
      .send(`${certificates.join('\n')}\n`);
  });
}
