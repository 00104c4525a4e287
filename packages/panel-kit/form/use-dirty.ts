import { Form, type FormInstance } from 'antd';

type Values = Readonly<Record<string, unknown>>;

/** What a field holds, whatever its type: an empty field is as good as none, a number as its digits. */
const plain = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '').trim();

/** Whether something else stands in the fields than what was there before. */
export function differs(values: object, before: object): boolean {
  const known = before as Values;
  return Object.entries(values).some(([name, value]) => plain(value) !== plain(known[name]));
}

/** Whether a form's fields hold something else than `before`. */
export function useDirty<V extends object>(form: FormInstance<V>, before: Partial<V>): boolean {
  // Only what has a field now: what a closed dialog leaves behind counts for nothing.
  const values = Form.useWatch((all: V) => all, form) as V | undefined;
  return values !== undefined && differs(values, before);
}
