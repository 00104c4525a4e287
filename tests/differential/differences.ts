import { createHash } from 'node:crypto';
import type { OriginView } from './origin.ts';
import { type Connection, contentOf, forged, type Plan, tunnelDomain } from './plan.ts';
import type { VisitorView } from './visitor.ts';
import type { WireFields } from './wire.ts';

/** What one side saw, as it is compared: fields by lower-case name, in the order of their values. */
export interface Seen {
  /** Method and target, or the status. */
  first: string;
  fields: Record<string, string[]>;
  trailers: Record<string, string[]>;
  body: Buffer;
  raw: Buffer;
  interim: readonly number[];
  isWhole: boolean;
  fault: string | undefined;
}

interface Circumstances {
  readonly plan: Plan;
  readonly key: number;
  readonly connection: Connection;
}
interface Way extends Circumstances {
  /** Else through edge and connector. */
  readonly isDirect: boolean;
}

/** A difference between a direct exchange and one through edge and connector that is meant to be. */
interface Difference {
  readonly what: string;
  readonly why: string;
  /** Takes it away from what the visitor saw, or the origin, on both ways. */
  readonly visitor?: (seen: Seen, way: Way) => void;
  readonly origin?: (seen: Seen, way: Way) => void;
}

const without =
  (...names: string[]) =>
  (seen: Seen) => {
    for (const name of names) delete seen.fields[name];
  };
/** Removes the values that are to be dropped on the way: where they have not been, they differ. */
function dropForged(seen: Seen, { isDirect }: Way): void {
  if (!isDirect) return;
  for (const [name, values] of Object.entries(seen.fields)) {
    const kept = values.flatMap((value) => {
      if (!value.includes(forged)) return [value];
      const pairs = name === 'cookie' ? value.split('; ').filter((pair) => !pair.includes(forged)) : [];
      return pairs.length > 0 ? [pairs.join('; ')] : [];
    });
    if (kept.length > 0) seen.fields[name] = kept;
    else delete seen.fields[name];
  }
}
/** Removes what others have said, unless it was forged. */
const withoutOwn =
  (...names: string[]) =>
  (seen: Seen) => {
    for (const name of names) if (!seen.fields[name]?.includes(forged)) delete seen.fields[name];
  };
const has = (fields: WireFields, name: string) => fields.some(([one]) => one.toLowerCase() === name);
const hop = without('connection', 'keep-alive', 'transfer-encoding', 'trailer', 'expect');
const isPart = (part: Buffer, whole: Buffer) => part.equals(whole.subarray(0, part.length));
function joinTrailers(seen: Seen): void {
  for (const [name, values] of Object.entries(seen.trailers))
    seen.trailers[name] = [values.join(', ').trim()];
}
const emptyOut = (seen: Seen, first: string) =>
  Object.assign(seen, {
    first,
    fields: {},
    trailers: {},
    body: Buffer.alloc(0),
    isWhole: false,
    fault: undefined,
  });

/** All of them. What is not in this table must be equal, byte by byte. */
export const differences: readonly Difference[] = [
  {
    what: 'Fields of a hop, and the framing without a length: chunks, or the end of the connection',
    why: 'Each connection has its own (RFC 9110, 7.6.1). Connectors lose Trailer; the edge gives the go-ahead to Expect.',
    visitor: hop,
    origin: hop,
  },
  {
    what: 'Order of fields with different names, case of names, version, reason phrase',
    why: 'cloudflared keeps none of them, and HTTP/2 has none of them. They mean nothing (RFC 9110, 5.3).',
  },
  {
    what: 'What visitors and origins may not say: headers of proxies, cookies of the wall, Cf-Ray, X-Edge-Error, Clear-Site-Data',
    why: 'The other side would believe it (docs/security-model.md).',
    visitor: dropForged,
    origin: dropForged,
  },
  {
    what: 'A cookie for the whole domain is one for its host',
    why: 'It would reach the panels of others.',
    visitor: (seen, { isDirect }) => {
      const cookies = seen.fields['set-cookie'];
      if (!isDirect || !cookies) return;
      seen.fields['set-cookie'] = cookies.map((value) => value.replace(`; Domain=${tunnelDomain}`, ''));
    },
  },
  {
    what: 'Cf-Ray in a response, and Date where the origin states none',
    why: 'The id finds the request in logs; a date is added by who passes a response on (RFC 9110, 6.6.1).',
    visitor: (seen, { plan }) => {
      withoutOwn('cf-ray')(seen);
      if (!has(plan.response.fields, 'date')) without('date')(seen);
    },
  },
  {
    what: 'Who visits, and through which connector: Cf-Connecting-Ip, Cf-Ray, Cf-Warp-Tag-Id, X-Forwarded-*',
    why: 'Edge and cloudflared say it to the origin.',
    origin: withoutOwn(
      'cf-connecting-ip',
      'cf-ray',
      'cf-warp-tag-id',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
    ),
  },
  {
    what: 'Accept-Encoding: identity, where the visitor has no wish',
    why: 'Without it cloudflared would ask for gzip and unpack the response.',
    origin: (seen, { plan }) => {
      if (!plan.request.fields.some(([name, value]) => name === 'Accept-Encoding' && value !== ''))
        without('accept-encoding')(seen);
    },
  },
  {
    what: 'A request without a body: Content-Length: 0, nothing, or no chunk and no trailers',
    why: 'cloudflared sends POST, PUT and PATCH without a body in chunks, and others without chunks.',
    origin: (seen, { plan }) => {
      if (plan.request.body.size === 0) seen.trailers = {};
      if (seen.fields['content-length']?.join() === '0') without('content-length')(seen);
    },
  },
  {
    what: 'A target that no URL has arrives percent-encoded',
    why: 'cloudflared refuses or re-encodes it (services/edge/visitors/parse-request.ts).',
    origin: (seen) => {
      const [path = '', ...query] = seen.first.split('?');
      const encoded = path.replace(/%(?![0-9a-fA-F]{2})|["#<>[\\\]^`{|}]/g, (byte) =>
        byte === '[' || byte === ']' ? byte : `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
      );
      seen.first = [encoded, ...query].join('?');
    },
  },
  {
    what: 'Trailers of the same name are one, joined by commas',
    why: 'It means the same (RFC 9110, 5.3).',
    visitor: joinTrailers,
    origin: joinTrailers,
  },
  {
    what: 'HTTP/1.0 brings no trailers',
    why: 'It has no chunks.',
    visitor: (seen, { plan }) => {
      if (plan.request.version === '1.0') seen.trailers = {};
    },
  },
  {
    what: 'Informational responses do not arrive',
    why: 'cloudflared passes none on.',
    visitor: (seen) => {
      seen.interim = [];
    },
  },
  {
    what: '204 and 205 state no length, and 205 has no body',
    why: 'RFC 9110, 8.6 and 15.3.6; HTTP/2 ends such a response as malformed.',
    visitor: (seen) => {
      if (!['204', '205'].includes(seen.first)) return;
      without('content-length')(seen);
      if (seen.first === '205') Object.assign(seen, { body: Buffer.alloc(0), trailers: {} });
    },
  },
  {
    what: 'A 101 says nothing of a body',
    why: 'It has none.',
    visitor: (seen) => {
      if (seen.first === '101') without('content-type', 'content-length', 'content-encoding')(seen);
    },
  },
  {
    what: 'An origin that says nothing gives 502, a page of the edge',
    why: 'A connection that just ends says nothing to the visitor.',
    visitor: (seen, { plan }) => {
      const isNothing = seen.first === '0' || seen.first === '502';
      if (plan.breaks === 'origin before the head' && isNothing) emptyOut(seen, 'no response');
    },
  },
  {
    what: 'Of a response that breaks off a shorter part may arrive, or none of it and 502',
    why: 'What waits in a buffer goes with the connection. It never looks whole.',
    visitor: (seen, { plan, key, connection }) => {
      if (plan.breaks !== 'origin in the body') return;
      // To HTTP/1.0 TLS alone shows it, by ending without a good-bye, which Node's client does not show.
      const isUntold = connection.kind === 'tls' && plan.request.version === '1.0';
      const isBroken = (isUntold || !seen.isWhole) && isPart(seen.body, contentOf(key, plan.response.body));
      if (isBroken || seen.first === '502') emptyOut(seen, 'broken off');
    },
  },
  {
    what: 'A visitor who leaves sees a part, and so does the origin',
    why: 'It is what leaving means. The origin notices it.',
    visitor: (seen, { plan, key }) => {
      if (!plan.breaks?.startsWith('visitor')) return;
      const isPartly =
        plan.breaks === 'visitor in the request' || isPart(seen.body, contentOf(key, plan.response.body));
      if (!seen.isWhole && isPartly && !seen.fault) emptyOut(seen, 'left');
    },
    origin: (seen, { plan, key }) => {
      if (plan.breaks === 'visitor in the request' && isPart(seen.body, contentOf(key, plan.request.body)))
        seen.body = Buffer.alloc(0);
    },
  },
];

const byName = (fields: WireFields) => {
  const grouped: Record<string, string[]> = {};
  for (const [name, value] of fields)
    grouped[name.toLowerCase()] = [...(grouped[name.toLowerCase()] ?? []), value];
  return grouped;
};

const ofVisitor = (view: VisitorView): Seen => ({
  ...{ ...view, first: String(view.status) },
  ...{ fields: byName(view.fields), trailers: byName(view.trailers) },
});
const ofOrigin = (view: OriginView): Seen => ({
  ...{ ...view, first: `${view.method} ${view.target}`, interim: [] },
  ...{ fields: byName(view.fields), trailers: byName(view.trailers) },
});

/** Of the differences, those that have made one. */
export const exercised = new Set<string>();

export interface Views {
  readonly visitor: VisitorView;
  readonly origin: OriginView;
}

/** @returns what differs that must not, a line each. */
export function compare(direct: Views, through: Views, circumstances: Circumstances): string[] {
  const faults: string[] = [];
  for (const side of ['visitor', 'origin'] as const) {
    const [one, other] = [direct, through].map((views) => {
      const seen = side === 'visitor' ? ofVisitor(views.visitor) : ofOrigin(views.origin);
      for (const difference of differences) {
        const before = exercised.has(difference.what) ? undefined : JSON.stringify(linesOf(seen));
        difference[side]?.(seen, { ...circumstances, isDirect: views === direct });
        if (before && before !== JSON.stringify(linesOf(seen))) exercised.add(difference.what);
      }
      return linesOf(seen);
    }) as [Record<string, string>, Record<string, string>];
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)]))
      if (one[name] !== other[name])
        faults.push(`${side}, ${name}: directly ${one[name]}, through the tunnel ${other[name]}`);
  }
  return faults;
}

function linesOf({
  first,
  fields,
  trailers,
  body,
  raw,
  interim,
  isWhole,
  fault,
}: Seen): Record<string, string> {
  const digest = (content: Buffer) =>
    `${content.length} bytes ${createHash('sha256').update(content).digest('hex').slice(0, 8)}`;
  const lines: Record<string, string> = {
    first,
    body: digest(body),
    raw: digest(raw),
    interim: interim.join(),
  };
  lines.end = fault ?? (isWhole ? 'whole' : 'not whole');
  for (const [kind, given] of [
    ['field', fields],
    ['trailer', trailers],
  ] as const)
    for (const [name, values] of Object.entries(given))
      lines[`${kind} ${name}`] = JSON.stringify(values.map((value) => value.slice(0, 200)));
  return lines;
}
