import { randomBytes } from 'node:crypto';
import type { PanelConfig } from '@talpa/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { panelPolicy } from '../security/headers.ts';
import { compressNow } from './folder.ts';
import { encodingOf } from './send-file.ts';

/** The shell's index.html, ready to be filled for each response. */
export interface IndexPage {
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

/** Puts the panel's configuration into the page, and a fresh nonce into each response. */
export function createIndexPage(html: string, config: PanelConfig): IndexPage {
  // A `<` in a value must not end the script element it stands in.
  const json = JSON.stringify(config).replaceAll('<', '\\u003c');
  const parts = html.replaceAll('__PANEL_CONFIG__', () => json).split('__CSP_NONCE__');
  return {
    send: async (request, reply) => {
      const nonce = randomBytes(16).toString('base64');
      const page = Buffer.from(parts.join(nonce));
      // It holds nothing of users and nothing that they sent: its size gives no secret away.
      const encoding = encodingOf(request.headers['accept-encoding']);
      return reply
        .headers({
          vary: 'accept-encoding',
          ...(encoding ? { 'content-encoding': encoding } : {}),
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'private, no-cache',
          'content-security-policy': panelPolicy(nonce),
        })
        .send(encoding ? await compressNow(encoding, page) : page);
    },
  };
}
