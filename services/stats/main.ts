import { runService } from '@talpa/service-kit/process/service';
import { wire } from './app.ts';
import { ownSettings } from './settings.ts';

await runService('stats', ownSettings, wire);
