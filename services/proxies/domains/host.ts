import { domainToASCII } from 'node:url';
import { challengeNameOf } from '@talpa/contracts';
import { invalidField } from '@talpa/service-kit/app-error';
import type { ProxiesSettings } from '../settings.ts';

const longestName = 253;
/** Under these there are no public domains (RFC 6761, RFC 6762, RFC 8375, and what routers use). */
const privateSuffixes: ReadonlySet<string> = new Set([
  ...['alt', 'arpa', 'corp', 'example', 'home', 'internal', 'intranet', 'invalid', 'lan', 'local'],
  ...['localdomain', 'localhost', 'mail', 'onion', 'private', 'test'],
]);
/** Two labels at least, the last of which is no number, as it is in every IPv4 address. */
const publicHost = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** What is in no name: Node would leave out a path, or decode it. */
const foreign = /[^\p{L}\p{M}\p{N}.-]/u;

/** A public host name as it was typed: ASCII, lower case, without trailing dot; null when it is none. */
export function readCustomHost(text: string): string | null {
  const typed = text.trim().toLowerCase();
  if (foreign.test(typed)) return null;
  const host = domainToASCII(typed).replace(/\.$/, '');
  const suffix = host.slice(host.lastIndexOf('.') + 1);
  const isPublic = publicHost.test(host) && !privateSuffixes.has(suffix);
  return isPublic && challengeNameOf(host).length <= longestName ? host : null;
}

/**
 * The host name of a custom domain.
 * @throws AppError `invalid_input` on `host`: it is no public name, or one of this installation
 */
export function customHostOf(
  text: string,
  settings: Pick<ProxiesSettings, 'TUNNEL_DOMAIN' | 'PUBLIC_URL' | 'EDGE_TCP_NAME'>,
): string {
  const host = readCustomHost(text);
  if (host === null) throw invalidField('host', 'customHost');
  const { TUNNEL_DOMAIN, PUBLIC_URL, EDGE_TCP_NAME } = settings;
  const panel = PUBLIC_URL && new URL(PUBLIC_URL).hostname;
  const own = [TUNNEL_DOMAIN, panel, EDGE_TCP_NAME].filter((name) => name !== undefined);
  if (own.some((name) => host === name || host.endsWith(`.${name}`)))
    throw invalidField('host', 'customHostOwn');
  return host;
}
