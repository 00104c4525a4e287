import type { Say } from './say.ts';
import { ensurePrograms, findProgram } from './system-packages.ts';

/** Chromium without windows: the whole browser starts more processes for a page than the page needs itself. */
const shell = 'chromium-headless-shell';

/** The path of the browser for tests and screenshots; null when there is none. */
export function findBrowser(): string | null {
  return findProgram(shell) ?? findProgram('chromium');
}

/** Installs it; where that cannot be done a whole Chromium does. @throws PlainError when there is none */
export async function ensureBrowser(say: Say): Promise<void> {
  try {
    await ensurePrograms([shell], say);
  } catch (error) {
    if (!findBrowser()) throw error;
  }
}
