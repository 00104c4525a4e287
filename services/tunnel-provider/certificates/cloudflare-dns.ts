import { APIConnectionError, APIError } from 'cloudflare';
import { BaseRecords } from 'cloudflare/resources/dns/records';
import { BaseZones } from 'cloudflare/resources/zones/zones';
import { createClient } from 'cloudflare/tree-shakable';
import type { DnsWriter } from './dns-solver.ts';
import { CertificateError } from './problems.ts';

const timeoutMs = 10_000;
const recordTtl = 60;

/** Writes records with Cloudflare's API. @param token ACME_CLOUDFLARE_TOKEN */
export function createCloudflareWriter(token: string, baseUrl: string): DnsWriter {
  const client = createClient({
    resources: [BaseRecords, BaseZones],
    baseURL: baseUrl,
    apiToken: token,
    // Left out they would be taken from the environment.
    apiKey: null,
    apiEmail: null,
    userServiceKey: null,
    logLevel: 'off',
    maxRetries: 1,
    timeout: timeoutMs,
  });
  const zoneOf = async (name: string) => {
    for (let zone = name; zone.includes('.'); zone = zone.slice(zone.indexOf('.') + 1)) {
      const { result } = await client.zones.list({ name: zone });
      const [found] = result;
      if (found) return found.id;
    }
    throw new CertificateError('dns_access_refused', `the token sees no zone for ${name}`);
  };
  return {
    add: (name, text) =>
      withProblem(async () => {
        const zone = { zone_id: await zoneOf(name) };
        const made = await client.dns.records.create({
          ...zone,
          type: 'TXT',
          name,
          content: `"${text}"`,
          ttl: recordTtl,
        });
        return async () => {
          await client.dns.records.delete(made.id, zone);
        };
      }),
  };
}

async function withProblem<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof CertificateError || !(error instanceof Error)) throw error;
    const isRefusal = error instanceof APIError && (error.status ?? 500) < 500 && error.status !== 429;
    const isOurs = isRefusal && !(error instanceof APIConnectionError);
    throw new CertificateError(isOurs ? 'dns_access_refused' : 'dns_unreachable', error.message, {
      cause: error,
    });
  }
}
