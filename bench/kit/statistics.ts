/** The value below which so many of the sorted values lie. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Middle and spread of some rounds. */
export function summary(values: readonly number[]) {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: quantile(sorted, 0.5), least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN };
}

/** A number with about three significant digits. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return String(Math.round(value));
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

/** “median (least–most)” */
export function spread(values: readonly number[]): string {
  const { median, least, most } = summary(values);
  return values.length > 1 ? `${short(median)} (${short(least)}–${short(most)})` : short(median);
}

/** A Markdown table with aligned columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join(
    '\n',
  );
}
