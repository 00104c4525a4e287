import type { ProcessName } from '@talpa/instance/ports.mjs';
import { commonSettings } from '@talpa/service-kit/service/service';
import type { SettingName } from '@talpa/service-kit/settings';
import { settingNames as gateway } from '../../gateway/settings.ts';
import { settingNames as auth } from '../../services/auth/settings.ts';
import { settingNames as billing } from '../../services/billing/settings.ts';
import { settingNames as edge } from '../../services/edge/settings.ts';
import { settingNames as notifications } from '../../services/notifications/settings.ts';
import { settingNames as proxies } from '../../services/proxies/settings.ts';
import { settingNames as stats } from '../../services/stats/settings.ts';
import { settingNames as provider } from '../../services/tunnel-provider/settings.ts';
import { settingNames as worker } from '../../services/tunnel-worker/settings.ts';

/** The settings each process reads at its start, beside those that every process has. */
export const processSettings: Readonly<Record<ProcessName, readonly SettingName[]>> = {
  gateway,
  auth: [...commonSettings, ...auth],
  billing: [...commonSettings, ...billing],
  proxies: [...commonSettings, ...proxies],
  stats: [...commonSettings, ...stats],
  notifications: [...commonSettings, ...notifications],
  'tunnel-worker': [...commonSettings, ...worker],
  'tunnel-provider': provider,
  edge,
};
