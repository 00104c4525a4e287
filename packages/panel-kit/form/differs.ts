type Values = Readonly<Record<string, unknown>>;

/** What a field holds, whatever its type: an empty field is as good as none, a number as its digits. */
const plain = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '').trim();

/** Whether two values of a field mean something different. */
export const isOther = (value: unknown, before: unknown): boolean => plain(value) !== plain(before);

/** Whether the fields hold something else than what was there before. */
export function differs(values: object, before: object): boolean {
  const known = before as Values;
  return Object.entries(values).some(([name, value]) => isOther(value, known[name]));
}
