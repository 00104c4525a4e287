import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@talpa/service-kit/log';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { createErrorHandler } from './api/errors.ts';
import { registerEdgeAuthority } from './edge-authority.ts';

const block = (name: string, text: string) => `-----BEGIN ${name}-----\n${text}\n-----END ${name}-----\n`;
const file = join(mkdtempSync(join(tmpdir(), 'talpa-authority-')), 'edge-ca.pem');

async function authority(path: string | undefined) {
  const app = fastify();
  app.setErrorHandler(createErrorHandler(createLog('test', 'silent')));
  registerEdgeAuthority(app, path);
  return app.inject('/edge-ca.pem');
}

it('everyone gets the edge’s certificate authority, and no one a key beside it', async () => {
  writeFileSync(file, block('PRIVATE KEY', 'geheim') + block('CERTIFICATE', 'öffentlich'));
  const response = await authority(file);
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/x-pem-file']);
  expect(response.body).toBe(block('CERTIFICATE', 'öffentlich'));
});

it('until the edge has made it at its first start whoever asks is told to come again', async () => {
  const response = await authority(`${file}-missing`);
  expect([response.statusCode, response.json()]).toMatchObject([503, { code: 'service_unavailable' }]);
});

it('where there is no edge of ours there is no authority', async () => {
  writeFileSync(file, block('PRIVATE KEY', 'geheim'));
  expect((await authority(undefined)).statusCode).not.toBe(200);
  expect((await authority(file)).body).not.toContain('geheim');
});
