import { runService } from '@talpa/service-kit/process/service';
import { wire } from './app.ts';
import { settingNames } from './settings.ts';

await runService('notifications', settingNames, wire);
