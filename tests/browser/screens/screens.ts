import type { Screen } from '@talpa/test-kit/panel/screen';
import { accessScreens } from './access.ts';
import { adminScreens } from './admin.ts';
import { apiKeyScreens } from './api-keys.ts';
import { channelScreens } from './channels.ts';
import { domainScreens } from './domains.ts';
import { gamePortScreens } from './game-ports.ts';
import { identityScreens } from './identities.ts';
import { installationChannelScreens } from './installation-channels.ts';
import { memberScreens } from './members.ts';
import { planScreens } from './plans.ts';
import { requestScreens } from './requests.ts';
import { serverScreens } from './servers.ts';
import { settingsScreens } from './settings.ts';
import { settingsEmailScreens } from './settings-email.ts';
import { shellScreens } from './shell.ts';
import { userScreens } from './user.ts';

/** Every screen of the panel in every state that looks different: for pictures, and for what all must keep. */
export const screens: readonly Screen[] = [
  ...shellScreens,
  ...userScreens,
  ...serverScreens,
  ...accessScreens,
  ...requestScreens,
  ...domainScreens,
  ...gamePortScreens,
  ...memberScreens,
  ...settingsScreens,
  ...settingsEmailScreens,
  ...apiKeyScreens,
  ...identityScreens,
  ...channelScreens,
  ...planScreens,
  ...adminScreens,
  ...installationChannelScreens,
];
