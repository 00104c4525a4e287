import type { LoggedRequest } from '@talpa/contracts';
import { csvLine } from '@talpa/service-kit/csv';

const columns = [
  'at',
  'method',
  'path',
  'status',
  'duration',
  'bytesIn',
  'bytesOut',
  'network',
  'agent',
  'reason',
  'rule',
  'requestId',
] as const satisfies readonly (keyof LoggedRequest)[];

/** Requests as CSV. @param withNames the names of the columns come first */
export function csvOf(requests: readonly LoggedRequest[], withNames: boolean): string {
  const lines = requests.map((request) => csvLine(columns.map((column) => request[column])));
  return (withNames ? csvLine(columns) : '') + lines.join('');
}
