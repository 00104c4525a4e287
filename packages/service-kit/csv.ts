/**
 * A program that opens the file would run a cell that begins so as a formula: plain or full-width, behind spaces or quotes. Programs
 * also read files with semicolons, tabs or bars between cells, whatever is quoted, so that a cell may begin after each of them.
 */
const formula = /(?<=^|[,;|\t\r\n])(?=["'\s]*[=+\-@＝＋－＠])/g;

/** A cell (RFC 4180): quoted where it has to be, and never a formula, whatever separates the reader's cells. */
function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = value.replace(formula, "'");
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of a CSV. Every CSV is made of these. */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(cellOf).join(',')}\r\n`;
