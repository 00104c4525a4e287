import type { DoctorFinding } from '@talpa/contracts';
import { refuseWrongSettings, slipsIn } from '../../launcher/outside-settings.ts';
import { found, reasonOf } from '../../services/notifications/doctor/finding.ts';

/** Whether each setting is one, and has a value that fits: a service has only its own. */
export function checkSettings(outside: NodeJS.ProcessEnv): DoctorFinding[] {
  const near = slipsIn(outside).map((names) => found('settings', 'settings_near', { ...names }));
  try {
    refuseWrongSettings(outside);
    return near.length > 0 ? near : [found('settings', 'settings_fit')];
  } catch (error) {
    return [...near, found('settings', 'settings_wrong', { reason: reasonOf(error) })];
  }
}
