import { it } from 'vitest';

// Loading what these tests need takes seconds: `npm test` does without.
if (process.env.CLOUDFLARED) await import('./third-party/node-red.ts');
else
  it.skip(
    'Node-RED behind the wall and cloudflared, in Chromium (skipped: CLOUDFLARED names no cloudflared)',
  );
