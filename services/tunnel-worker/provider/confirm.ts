import type { ProviderFault } from '@talpa/contracts';
import type { RecordResponse } from 'cloudflare/resources/dns/records';
import type { Zone } from 'cloudflare/resources/zones/zones';
import { ProviderError } from './errors.ts';
import type { OperationName } from './operations.ts';

/**
 * Confirms that a record is what was asked for. A name outside the zone is not refused: it gets the zone's
 * name appended, and leads nobody anywhere.
 * @throws ProviderError
 */
export function confirmRecord(record: RecordResponse, hostname: string, operation: OperationName): void {
  if (!record.name) throw new ProviderError('passing', `${operation}: the response is incomplete`);
  if (record.name.toLowerCase() !== hostname)
    throw wrong(operation, 'domain_outside_zone', `the record’s name became ${record.name}`);
  if (!record.proxied) throw wrong(operation, 'record_not_proxied', `${record.name} is not proxied`);
}

/** @throws ProviderError when no public name of this domain can lead to a tunnel of this account. */
export function confirmZone(zone: Zone, domain: string, accountId: string): void {
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
