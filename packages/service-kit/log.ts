import { type Logger, pino } from 'pino';
import { logOutput } from './log-output.ts';
import { scopeForLog } from './telemetry/scope.ts';

export type Log = Logger;

/** Keys whose values never reach a log, wherever they stand. */
const secretKeys = ['password', 'token', 'tunnelSecret', 'tunnel_secret', 'cookie', 'authorization', 'hash'];

/** A process's log: JSON lines on stdout with the process's name and the request served; secrets are cut out by key. */
export function createLog(name: string, level: string): Log {
  const options = {
    name,
    level,
    base: { name },
    mixin: scopeForLog,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
      censor: '[secret]',
    },
  };
  return pino(options, logOutput(name));
}
