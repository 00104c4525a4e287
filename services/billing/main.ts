import { runService } from '@talpa/service-kit/process/service';
import { wire } from './app.ts';

await runService('billing', [], wire);
