import { reservedPattern } from '@talpa/contracts/reserved';
import { z } from 'zod';
import { isTrustProxy } from '../trust-proxy.ts';

export const port = z.coerce.number().int().min(0).max(65_535);
export const flag = z
  .enum(['0', '1', 'true', 'false'])
  .transform((value) => value === '1' || value === 'true');
export const keyRing = z
  .string()
  .regex(/^(\/.+|[\w-]+:[\w-]{43,}(,[\w-]+:[\w-]{43,})*)$/, 'kid:base64url[,kid:base64url] or a path')
  .meta({ secret: true });
export const secret = z.string().min(1).meta({ secret: true });
export const webAddress = z.url({ protocol: /^https?$/, error: 'not an http or https address' });
export const smtpAddress = z.url({
  protocol: /^smtps?$/,
  error: 'not smtp://user:password@host:port or smtps://…',
});
const bareAddress = String.raw`[^\s<>@,;:"]+@[A-Za-z0-9.-]+`;
export const mailAddress = z
  .string()
  .regex(
    new RegExp(String.raw`^(${bareAddress}|[^<>@,;:"\p{Cc}]+ <${bareAddress}>)$`, 'u'),
    'not Name <name@host> or name@host',
  );
export const nameServerAddress = z.string().refine((text) => {
  const { protocol, username, password, hostname } = URL.parse(text) ?? {};
  return protocol === 'dns:' && [username, password, hostname].every((part) => part !== '');
}, 'not dns://key-name:secret@host');
export const trustProxy = z
  .string()
  .refine(isTrustProxy, 'neither a hop count nor a list of addresses')
  .default('');
export const reservedNames = z
  .string()
  .default('')
  .transform((text) => text.split(',').map((name) => name.trim().toLowerCase()))
  .transform((names) => names.filter((name) => name !== ''))
  .refine((names) => names.every((name) => reservedPattern.test(name)), 'not name, name-* or *name*');
/** Whether a text is a range of addresses in CIDR notation. */
const isRange = (text: string) => z.cidrv4().safeParse(text).success || z.cidrv6().safeParse(text).success;
export const addressRanges = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((range) => range.trim())
      .filter((range) => range !== ''),
  )
  .refine((ranges) => ranges.every(isRange), 'not ranges such as 10.0.0.0/8, separated by commas');
/** Whether a text is an address of a name server: an IP address, with a port if need be. */
const isNameServer = (text: string) => {
  const [, bracketed, plain] = text.match(/^(?:\[([0-9a-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i) ?? [];
  return z.ipv4().safeParse(plain).success || z.ipv6().safeParse(bracketed ?? text).success;
};
export const nameServers = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((server) => server.trim())
      .filter((server) => server !== ''),
  )
  .refine((servers) => servers.every(isNameServer), 'not IP addresses such as 9.9.9.9 or [2620:fe::fe]:53')
  .readonly();
export const positive = z.coerce.number().int().positive();

/** Ports below need rights that the edge does not have everywhere. */
const firstFreePort = 1_024;
/** EDGE_TCP_PORTS: the public ports that game ports get. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}
/** `25000-25099`; empty: none. */
export const portRange = z
  .string()
  .trim()
  .regex(/^(\d{1,5}-\d{1,5})?$/, 'not a range such as 25000-25099')
  .default('')
  .transform((text): PortRange | null => {
    const [first, last] = text.split('-').map(Number);
    return first === undefined || last === undefined ? null : { first, last };
  })
  .refine(
    (range) =>
      range === null || (firstFreePort <= range.first && range.first <= range.last && range.last <= 65_535),
    'not a range between 1024 and 65535',
  );
