import type { LoggedRequest } from '@talpa/contracts';

const columns = [
  'at',
  'method',
  'path',
  'status',
  'duration',
  'bytesIn',
  'bytesOut',
  'network',
  'agent',
  'reason',
  'rule',
  'requestId',
] as const satisfies readonly (keyof LoggedRequest)[];

/** A program that opens the file would run a cell that begins so as a formula. */
const formula = /^[=+\-@\t\r]/;

/** A cell (RFC 4180): quoted where it has to be, and never a formula. */
function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const lineOf = (cells: readonly (string | number | null)[]) => `${cells.map(cellOf).join(',')}\r\n`;

/** Requests as CSV. @param withNames the names of the columns come first */
export function csvOf(requests: readonly LoggedRequest[], withNames: boolean): string {
  const lines = requests.map((request) => lineOf(columns.map((column) => request[column])));
  return (withNames ? lineOf(columns) : '') + lines.join('');
}
