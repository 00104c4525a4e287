import { ApiError, createApi, type Page, part } from '@talpa/service-kit/cloudflare-api';
import type { DnsWriter } from './dns-solver.ts';
import { CertificateError } from './problems.ts';

const timeoutMs = 10_000;
const recordTtl = 60;

interface Entry {
  readonly id: string;
}

/** Writes records with Cloudflare's API. @param token ACME_CLOUDFLARE_TOKEN */
export function createCloudflareWriter(token: string, url: string): DnsWriter {
  const call = createApi({ url, token, timeoutMs });
  const recordsOf = async (name: string) => {
    for (let zone = name; zone.includes('.'); zone = zone.slice(zone.indexOf('.') + 1)) {
      const { result } = await call<Page<Entry>>('GET', '/zones', { query: { name: zone } });
      const [found] = result ?? [];
      if (found) return `/zones/${part(found.id)}/dns_records`;
    }
    throw new CertificateError('dns_access_refused', `the token sees no zone for ${name}`);
  };
  return {
    add: (name, text) =>
      withProblem(async () => {
        const records = await recordsOf(name);
        const body = { type: 'TXT', name, content: `"${text}"`, ttl: recordTtl };
        const { result } = await call<{ readonly result: Entry }>('POST', records, { body });
        return async () => {
          await call('DELETE', `${records}/${part(result.id)}`);
        };
      }),
  };
}

async function withProblem<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status = 500, errors } = error;
    const isRefusal = status < 500 && status !== 429;
    const said = errors ? `${error.message}: ${JSON.stringify(errors)}` : error.message;
    throw new CertificateError(isRefusal ? 'dns_access_refused' : 'dns_unreachable', said, { cause: error });
  }
}
