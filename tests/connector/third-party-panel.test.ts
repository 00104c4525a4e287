import { it } from 'vitest';

// Loading what these tests need takes seconds: `npm test` does without.
if (process.env.CLOUDFLARED) {
  await import('./third-party/strangers.ts');
  await import('./third-party/one-server.ts');
  await import('./third-party/node-red.ts');
} else
  it.skip('programs of others work behind cloudflared (skipped: CLOUDFLARED names no cloudflared)', () => {});
