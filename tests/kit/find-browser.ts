import type { LogLine } from '@talpa/instance/cli';
import { ensurePrograms, findProgram } from '@talpa/instance/system-packages';

/** Chromium without windows: the whole browser starts more processes for a page than the page needs itself. */
const shell = 'chromium-headless-shell';

/** The path of the browser for tests and screenshots; null when there is none. */
export function findBrowser(): string | null {
  return findProgram(shell) ?? findProgram('chromium');
}

/** Installs it; where that cannot be done a whole Chromium does. @throws CliError when there is none */
export async function ensureBrowser(log: LogLine): Promise<void> {
  try {
    await ensurePrograms([shell], log);
  } catch (error) {
    if (!findBrowser()) throw error;
  }
}
