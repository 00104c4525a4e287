import { z } from 'zod';

const label = '[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?';
const hostPattern = new RegExp(`^(?=.{1,253}$)(${label}\\.)*${label}$`);
const host = z.string().trim().toLowerCase().regex(hostPattern, 'is no host name');
const name = z
  .string()
  .trim()
  .toLowerCase()
  .refine((text) => hostPattern.test(text.replace(/^\*\./, '')), 'DNS name is invalid');

const common = {
  name,
  /** Seconds; 1 is automatic. */
  ttl: z.union([z.literal(1), z.int().min(60).max(86_400)]).default(1),
  comment: z.string().max(500).nullish(),
  tags: z.array(z.string().max(100)).max(20).default([]),
};
const proxied = z.boolean().default(false);

/** A whole record as it is created or overwritten. */
export const dnsRecord = z.discriminatedUnion('type', [
  z.object({ type: z.literal('A'), content: z.ipv4(), proxied, ...common }),
  z.object({ type: z.literal('AAAA'), content: z.ipv6(), proxied, ...common }),
  z.object({ type: z.literal('CNAME'), content: host, proxied, ...common }),
  z.object({ type: z.literal('TXT'), content: z.string().min(1).max(2_048), ...common }),
  z.object({ type: z.literal('NS'), content: host, ...common }),
  z.object({ type: z.literal('MX'), content: host, priority: z.int().min(0).max(65_535), ...common }),
]);
export type DnsRecord = z.output<typeof dnsRecord>;

/** Types that answer with an address: at most one CNAME, or A and AAAA, on a host. */
export const addressTypes = ['A', 'AAAA', 'CNAME'];

export interface RecordRow {
  id: string;
  name: string;
  type: string;
  content: string;
  proxied: boolean;
  ttl: number;
  priority: number | null;
  comment: string | null;
  tags: string[];
  createdOn: Date;
  modifiedOn: Date;
}

/** A record as the API shows it. */
export function recordView(row: RecordRow) {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    content: row.content,
    proxiable: addressTypes.includes(row.type),
    proxied: row.proxied,
    ttl: row.ttl,
    ...(row.priority === null ? {} : { priority: row.priority }),
    settings: {},
    meta: {},
    comment: row.comment,
    tags: row.tags,
    created_on: row.createdOn.toISOString(),
    modified_on: row.modifiedOn.toISOString(),
  };
}
