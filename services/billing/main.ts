import { runService } from '@talpa/service-kit/process/service';
import { ownSettings, wire } from './app.ts';

await runService('billing', ownSettings, wire);
