import { launch } from './command.ts';
import type { TestSystem } from './system.ts';

/** Runs `npm run talpa -- …` on a test's instance to its end. */
export async function operate(system: TestSystem, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const command = launch('talpa', { TALPA_HOME: system.talpa.home, TALPA_ADMIN_PASSWORD: '', ...env }, args);
  return { code: await command.ended, output: command.output() };
}
