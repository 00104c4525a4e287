import { runService } from '@talpa/service-kit/process/service';
import { ownSettings, wire } from './app.ts';

await runService('stats', ownSettings, wire);
