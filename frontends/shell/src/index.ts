import { preloadFirstPage } from './preload.ts';

// zod would try `eval`, which the page's policy forbids; it reads this before its first schema.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

preloadFirstPage();
// The shared modules must be settled before anything imports them: hence the second step.
import('./bootstrap.tsx');
