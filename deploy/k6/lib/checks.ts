import { check } from 'k6';
import type { Response } from 'k6/http';

/** Whether a call answered with this status; counted under its own name. */
export function answered(response: Response, status: number, what: string): boolean {
  return check(response, { [`${what}: ${status}`]: (one) => one.status === status });
}
