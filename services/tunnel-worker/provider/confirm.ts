import type { ProviderFault } from '@talpa/contracts';
import { ProviderError } from './errors.ts';
import type { OperationName } from './operations.ts';

/** What is read of a DNS record and of a zone. */
export interface RecordFields {
  readonly id?: string;
  readonly name?: string;
  readonly type?: string;
  readonly content?: string;
  readonly comment?: string | null;
  readonly proxied?: boolean;
  readonly created_on?: string;
}
export interface ZoneFields {
  readonly name?: string;
  readonly status?: string;
  readonly paused?: boolean;
  readonly account?: { readonly id?: string };
}

/**
 * Confirms that a record is what was asked for. A name outside the zone is not refused: it gets the zone's
 * name appended, and leads nobody anywhere.
 * @throws ProviderError
 */
export function confirmRecord(record: RecordFields, hostname: string, operation: OperationName): void {
  if (!record.name) throw new ProviderError('passing', `${operation}: the response is incomplete`);
  if (record.name.toLowerCase() !== hostname)
    throw wrong(operation, 'domain_outside_zone', `the record’s name became ${record.name}`);
  if (!record.proxied) throw wrong(operation, 'record_not_proxied', `${record.name} is not proxied`);
}

/** @throws ProviderError when no public name of this domain can lead to a tunnel of this account. */
export function confirmZone(zone: ZoneFields, domain: string, accountId: string): void {
  if (!zone.name) throw new ProviderError('passing', 'get zone: the response is incomplete');
  if (domain !== zone.name && !domain.endsWith(`.${zone.name}`))
    throw wrong('get zone', 'domain_outside_zone', `${domain} does not lie in the zone ${zone.name}`);
  const owner = zone.account?.id;
  if (owner && owner !== accountId)
    throw wrong('get zone', 'zone_of_another_account', `the zone ${zone.name} is of account ${owner}`);
  if (zone.paused || (zone.status && zone.status !== 'active'))
    throw wrong(
      'get zone',
      'zone_inactive',
      `the zone ${zone.name} is ${zone.paused ? 'paused' : zone.status}`,
    );
}

function wrong(operation: OperationName, fault: ProviderFault, what: string): ProviderError {
  return new ProviderError('passing', `${operation}: ${what}`, { fault, withoutRetry: true });
}
