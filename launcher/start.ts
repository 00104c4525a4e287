import { runInForeground } from './foreground.ts';
import { homeOf } from './paths.ts';

/** `npm start`: the whole panel, until Ctrl-C. */
await runInForeground({ home: homeOf(process.env), port: '8080' });
