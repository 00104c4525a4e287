import { writeSync } from 'node:fs';
import { counter } from './telemetry/metrics.ts';

const lostLines = counter(
  'talpa_log_lines_lost_total',
  'Log lines that could not be written: a full disk, a reader that is gone',
);

/**
 * Where a process's log goes. A line that cannot be written is lost, counted, and reported by the next one that can be;
 * it costs nothing else, whatever is wrong with the disk or with the reader.
 */
export function logOutput(name: string, fd = 1): { write(line: string): void } {
  lostLines.inc(0);
  let lost = 0;
  let torn = false;
  const write = (line: string): void => {
    const bytes = Buffer.from(torn ? `\n${line}` : line);
    for (let at = 0; at < bytes.length; ) {
      at += writeSync(fd, bytes, at);
      torn = at < bytes.length;
    }
  };
  return {
    write: (line) => {
      try {
        write(line);
        if (lost === 0) return;
        const msg = `${lost} log lines before this could not be written`;
        write(`${JSON.stringify({ level: 40, time: new Date().toISOString(), name, msg })}\n`);
        lost = 0;
      } catch {
        lost += 1;
        lostLines.inc();
      }
    },
  };
}
