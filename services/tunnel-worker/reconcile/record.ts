import type { Provider, ProviderRecord } from '../provider/client.ts';
import { hasCode, isProviderError, ProviderError, providerCodes } from '../provider/errors.ts';
import { type ProxyNames, proxyOfRecord, recordContent } from '../provider/names.ts';

/**
 * Leads a public name to a tunnel.
 * @returns the record's id
 * @throws ProviderError `refused` with `hostname_in_use` when a record that is not ours has the name.
 */
export async function ensureRecord(
  provider: Provider,
  installationId: string,
  names: ProxyNames,
  known: readonly ProviderRecord[],
  hostname: string,
  tunnelId: string,
): Promise<string> {
  const content = recordContent(tunnelId);
  const repoint = async (record: ProviderRecord) => {
    const right = record.content === content && record.comment === names.comment;
    if (!right) await provider.replaceRecord(record.id, hostname, content, names.comment);
    return record.id;
  };
  const found = known.find((record) => record.hostname === hostname);
  try {
    if (found) return await repoint(found);
  } catch (error) {
    // Somebody deleted it: make it anew.
    if (!isProviderError(error, 'missing')) throw error;
  }
  try {
    return await provider.createRecord(hostname, content, names.comment);
  } catch (error) {
    if (!hasCode(error, ...providerCodes.recordExists)) throw error;
    return repoint(await findOurs(provider, installationId, hostname));
  }
}

/** The record that has the name, if it is one of this installation. Others' are never touched. */
async function findOurs(
  provider: Provider,
  installationId: string,
  hostname: string,
): Promise<ProviderRecord> {
  const records = await provider.findRecords({ hostname });
  const ours = records.find((record) => proxyOfRecord(installationId, record) !== null);
  if (ours) return ours;
  if (records.length === 0)
    throw new ProviderError('passing', 'a record of this name is said to exist but is not listed');
  throw new ProviderError('refused', 'the name has a record that is not ours', { reason: 'hostname_in_use' });
}
