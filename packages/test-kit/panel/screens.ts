import type { Screen } from './screen.ts';
import { accessScreens } from './screens/access.ts';
import { adminScreens } from './screens/admin.ts';
import { apiKeyScreens } from './screens/api-keys.ts';
import { channelScreens } from './screens/channels.ts';
import { domainScreens } from './screens/domains.ts';
import { gamePortScreens } from './screens/game-ports.ts';
import { identityScreens } from './screens/identities.ts';
import { installationChannelScreens } from './screens/installation-channels.ts';
import { memberScreens } from './screens/members.ts';
import { planScreens } from './screens/plans.ts';
import { requestScreens } from './screens/requests.ts';
import { settingsScreens } from './screens/settings.ts';
import { settingsEmailScreens } from './screens/settings-email.ts';
import { shellScreens } from './screens/shell.ts';
import { userScreens } from './screens/user.ts';

/** Every screen of the panel in every state that looks different: for pictures, and for what all must keep. */
export const screens: readonly Screen[] = [
  ...shellScreens,
  ...userScreens,
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
