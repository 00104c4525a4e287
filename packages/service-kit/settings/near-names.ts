/** So many changes of a letter make another name of a setting's; short names are near to much. */
const nearest = (name: string) => (name.length < 8 ? 1 : 2);

/**
 * Names of environment variables that are nearly a setting's, and so do nothing: `TUNEL_DOMAIN`, `PROT`, `public_url`.
 * @returns each with the setting that was probably meant
 */
export function nearNames(
  given: readonly string[],
  known: readonly string[],
): { readonly name: string; readonly meant: string }[] {
  const names = new Set(known);
  return given.flatMap((name) => {
    if (names.has(name)) return [];
    const meant = known.find((one) => changesBetween(name.toUpperCase(), one) <= nearest(one));
    return meant ? [{ name, meant }] : [];
  });
}

/** Letters that are added, left out, replaced, or swapped with their neighbour (optimal string alignment). */
function changesBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const [above = [], before] = [rows[i - 1], rows[i - 2]];
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped
        ? (before?.[j - 2] ?? Number.POSITIVE_INFINITY) + 1
        : Number.POSITIVE_INFINITY;
      row.push(Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, swapped));
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
