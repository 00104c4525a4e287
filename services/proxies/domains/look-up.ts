import { Resolver } from 'node:dns/promises';
import { challengeNameOf, type DomainProblem } from '@talpa/contracts';

/** All queries of a check together take no longer. */
const limitMs = 4_000;
const queryMs = 1_500;
/** There is no such name, or no such record. */
const noRecord: ReadonlySet<string | undefined> = new Set(['ENOTFOUND', 'ENODATA']);

interface Checked {
  readonly host: string;
  /** What the TXT record must hold. */
  readonly token: string;
  /** The public name of the proxy that the host must point to. */
  readonly target: string;
}

/**
 * Looks whether a host's DNS records show that it belongs to the user and points to the proxy; null when they do.
 * @param servers DNS_SERVERS; none: those of the system
 */
export async function findProblem(
  servers: readonly string[],
  { host, token, target }: Checked,
): Promise<DomainProblem | null> {
  const resolver = new Resolver({ timeout: queryMs, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), limitMs);
  const orNone = <T>(query: Promise<T[]>) =>
    query.catch((error: NodeJS.ErrnoException) => {
      if (noRecord.has(error.code)) return [];
      throw error;
    });
  const addressesOf = async (name: string) =>
    (await Promise.all([orNone(resolver.resolve4(name)), orNone(resolver.resolve6(name))])).flat();
  try {
    const texts = (await orNone(resolver.resolveTxt(challengeNameOf(host)))).map((parts) => parts.join(''));
    if (texts.length === 0) return 'challenge_missing';
    if (!texts.includes(token)) return 'challenge_wrong';
    const names = await orNone(resolver.resolveCname(host));
    if (names.some((name) => name.toLowerCase() === target)) return null;
    const found = await addressesOf(host);
    if (found.length === 0) return names.length === 0 ? 'target_missing' : 'target_wrong';
    const own = new Set(await addressesOf(target));
    return found.every((address) => own.has(address)) ? null : 'target_wrong';
  } catch {
    return 'dns_unavailable';
  } finally {
    clearTimeout(timer);
  }
}
