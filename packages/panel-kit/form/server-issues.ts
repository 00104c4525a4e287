import type { ErrorCode } from '@talpa/contracts';
import type { FormInstance } from 'antd';
import type { ApiError } from '../core/api/api-error.ts';

/** Errors about the whole that the user corrects in one field. */
const fieldOf: Readonly<Partial<Record<ErrorCode, string>>> = {
  username_taken: 'username',
  username_similar: 'username',
  username_reserved: 'username',
  subdomain_similar: 'customUrl',
  subdomain_taken: 'customUrl',
  subdomain_reserved: 'customUrl',
  hostname_in_use: 'customUrl',
  server_not_found: 'serverId',
  server_full: 'serverId',
  server_limit_reached: 'serverId',
  server_token_shared: 'serverId',
};

/**
 * Marks the fields the server has refused and focuses the first of them; what was typed stays.
 * @returns false when the error belongs to no field: it must be shown elsewhere.
 */
export function showServerIssues(form: FormInstance, error: ApiError): boolean {
  const known = new Set(Object.keys(form.getFieldsValue(true) as object));
  const fields = error.issues
    .filter((issue) => known.has(String(issue.path[0])))
    .map((issue) => ({ name: [...issue.path], errors: [issue.message] }));
  const field = fieldOf[error.code as ErrorCode];
  const marked = field && known.has(field) ? [{ name: [field], errors: [error.message] }] : fields;
  form.setFields(marked);
  const [first] = marked;
  // A form that was waiting takes the focus only when it is enabled again.
  if (first) setTimeout(() => form.focusField(first.name));
  return marked.length > 0;
}
