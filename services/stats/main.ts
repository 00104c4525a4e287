import { runService } from '@talpa/service-kit/service/service';
import { wire } from './app.ts';
import { settingNames } from './settings.ts';

await runService('stats', settingNames, wire);
