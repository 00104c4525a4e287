import type { FormInstance } from 'antd';
import type { ApiError } from '../core/api/api-error.ts';

/**
 * Marks the fields the server has refused and focuses the first of them; what was typed stays.
 * @returns false when the error names no field of this form: it must be shown otherwise.
 */
export function showServerIssues(form: FormInstance, error: ApiError): boolean {
  const known = new Set(Object.keys(form.getFieldsValue(true) as object));
  const fields = error.issues
    .filter((issue) => known.has(String(issue.path[0])))
    .map((issue) => ({ name: [...issue.path], errors: [issue.message] }));
  if (fields.length === 0) return false;
  form.setFields(fields);
  form.focusField(fields[0]?.name ?? []);
  return true;
}
