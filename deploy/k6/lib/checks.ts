import { check } from 'k6';
import type { Response } from 'k6/http';

/** Whether a call returned this status; counted under its own name. */
export function checkStatus(response: Response, status: number, what: string): boolean {
  return check(response, { [`${what}: ${status}`]: (one) => one.status === status });
}
