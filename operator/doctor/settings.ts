import { nearNameWarnings, refuseWrongSettings } from '../../launcher/outside-settings.ts';
import { type Finding, findingsOf, reasonOf } from './finding.ts';

const { ok, warning, problem } = findingsOf('settings');

/** Whether each setting is one, and has a value that fits. */
export function checkSettings(outside: NodeJS.ProcessEnv): Finding[] {
  const found: Finding[] = nearNameWarnings(outside).map(warning);
  try {
    refuseWrongSettings(outside);
  } catch (error) {
    found.push(problem(reasonOf(error)));
  }
  if (!outside.PUBLIC_URL)
    found.push(
      warning('PUBLIC_URL is not set: emails have no links, and passkeys and protected proxies do not work.'),
    );
  return found.length > 0 ? found : [ok('All have a value that fits.')];
}
