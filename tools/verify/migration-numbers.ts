/**
 * Migrations run in the order of their names, so a number that two have says nothing about their order.
 * @param files all paths of the repository
 */
export function findNumberFaults(files: Iterable<string>): string[] {
  const last = new Map<string, number>();
  const faults: string[] = [];
  for (const file of [...files].sort()) {
    const [, folder = '', number = ''] = file.match(/^(.+\/migrations)\/(\d*)[^/]*\.sql$/) ?? [];
    if (!folder) continue;
    const expected = (last.get(folder) ?? 0) + 1;
    last.set(folder, expected);
    if (number !== String(expected).padStart(4, '0'))
      faults.push(`${file}: its number is not the next one, ${String(expected).padStart(4, '0')}`);
  }
  return faults;
}
