import { randomBytes } from 'node:crypto';
import type { PanelConfig } from '@talpa/contracts';
import type { FastifyReply } from 'fastify';
import { panelPolicy } from '../security/headers.ts';

/** The shell's index.html, ready to be filled for each response. */
export interface IndexPage {
  send(reply: FastifyReply): FastifyReply;
}

/** Puts the panel's configuration into the page, and a fresh nonce into each response. */
export function createIndexPage(html: string, config: PanelConfig): IndexPage {
  // A `<` in a value must not end the script element it stands in.
  const json = JSON.stringify(config).replaceAll('<', '\\u003c');
  const parts = html.replaceAll('__PANEL_CONFIG__', () => json).split('__CSP_NONCE__');
  return {
    send: (reply) => {
      const nonce = randomBytes(16).toString('base64');
      return reply
        .headers({
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'private, no-cache',
          'content-security-policy': panelPolicy(nonce),
        })
        .send(parts.join(nonce));
    },
  };
}
