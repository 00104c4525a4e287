import { launch } from './command.ts';

/** Runs `npm run talpa -- …` on the instance of a home to its end. */
export async function operate(home: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const command = launch('talpa', { TALPA_HOME: home, TALPA_ADMIN_PASSWORD: '', ...env }, args);
  return { code: await command.ended, output: command.output() };
}
