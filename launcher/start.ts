import { homeOf } from '@talpa/instance/paths';
import { runInForeground } from './foreground.ts';

/** `npm start`: the whole panel, until Ctrl-C. */
await runInForeground({ home: homeOf(process.env), port: '8080' });
