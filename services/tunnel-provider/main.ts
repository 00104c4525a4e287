import { runProcess } from '@talpa/service-kit/process/lifecycle';
import { startProvider } from './start.ts';

await runProcess('tunnel-provider', startProvider);
