import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { homeFolders } from '@talpa/instance/paths';
import { afterEach } from 'vitest';
import { addFailureReport } from './failure-report.ts';

/** The last lines that a report shows of each log, and of the launcher. */
const shownLines = 8;
/** pino's numbers: from a warning on. */
const warning = 40;

/**
 * Prints, after each test that fails, the last warnings and errors of a system's processes and stores, and what its
 * launcher said last.
 * @param said what the launcher has said so far
 */
export function reportAfterFailure(home: string, said: readonly string[]): void {
  afterEach((test) => {
    if (test.task.result?.state !== 'fail') return;
    const logs = homeFolders(home).logs;
    const lines = readdirSync(logs).flatMap((file) => warningsIn(join(logs, file)));
    addFailureReport(test, ['the launcher said', ...said.slice(-shownLines), 'the logs say', ...lines]);
  });
}

function warningsIn(path: string): string[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.filter((line) => !isQuiet(line)).slice(-shownLines);
}

const isQuiet = (line: string) => {
  const level = /^\{"level":(\d+)/.exec(line)?.[1];
  return level === undefined
    ? !/\b(ERR|WRN|ERROR|FATAL|PANIC|WARNING)\b/.test(line)
    : Number(level) < warning;
};
