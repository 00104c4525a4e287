import { gzipSync } from 'node:zlib';
import { serviceTokenHeader } from '@talpa/contracts/service-token-header';
import { type Random, randomFrom } from '@talpa/test-kit/requests/random';
import { forgeableKinds } from '../../services/edge/visitors/forgeable.ts';
import { wallCookie } from '../../services/edge/visitors/wall/cookies.ts';
import type { WireFields } from './wire.ts';

/** A body: its size, where it is cut into pieces, and how long the sender pauses after each, in ms (0: not at all). */
export interface Body {
  readonly size: number;
  readonly cuts: readonly number[];
  readonly pauses: readonly number[];
}

export interface RequestPlan {
  readonly method: string;
  readonly target: string;
  readonly version: '1.0' | '1.1';
  readonly fields: WireFields;
  readonly framing: 'none' | 'length' | 'chunked';
  readonly body: Body;
  readonly trailers: WireFields;
  readonly expectsContinue: boolean;
}

export interface ResponsePlan {
  readonly status: number;
  readonly version: '1.0' | '1.1';
  readonly fields: WireFields;
  readonly framing: 'length' | 'chunked' | 'close';
  readonly body: Body;
  readonly isZipped: boolean;
  readonly trailers: WireFields;
  /** Informational responses before it. */
  readonly interim: readonly number[];
  readonly closes: boolean;
}

/** Who breaks an exchange off, and when. */
export type Break =
  | 'origin before the head'
  | 'origin in the body'
  | 'visitor in the request'
  | 'visitor in the response';

/** One request and its response. */
export interface Plan {
  readonly request: RequestPlan;
  readonly response: ResponsePlan;
  readonly breaks: Break | null;
  /** Asks for a WebSocket, and gets it where the status is 101: sizes of what each side sends. */
  readonly upgrade: { readonly toOrigin: number; readonly toVisitor: number } | null;
}

/** So many proxies share a tunnel. */
export const sharers = 3;

/** A connection of a visitor, and the requests that it makes. */
export interface Connection {
  readonly kind: 'plain' | 'tls' | 'http2';
  /** Which of the two edges it visits: the connector is at the first. */
  readonly edge: 0 | 1;
  /** Which of the proxies behind the connector. */
  readonly proxy: number;
  readonly isPipelined: boolean;
  readonly isSlow: boolean;
  readonly plans: readonly Plan[];
}

const none: Body = { size: 0, cuts: [], pauses: [] };
const bytes = Buffer.alloc(1_200_000);
const { below } = randomFrom(1);
for (let at = 0; at < bytes.length; at += 1) bytes[at] = below(256);

/** The bytes of a body; those of different exchanges differ. */
export function contentOf(key: number, { size }: Body, isZipped = false): Buffer {
  const start = (key * 7_919) % (bytes.length / 4);
  const plain = bytes.subarray(start, start + size);
  return isZipped ? gzipSync(plain, { level: 1 }) : plain;
}

/** The pieces in which a body is sent, each with the pause after it. */
export function piecesOf(content: Buffer, { cuts, pauses }: Body): { piece: Buffer; pause: number }[] {
  const ends = [...cuts.map((cut) => Math.floor(cut * content.length)), content.length];
  return ends
    .map((end, index) => ({ piece: content.subarray(ends[index - 1] ?? 0, end), pause: pauses[index] ?? 0 }))
    .filter(({ piece }) => piece.length > 0);
}

const values = [
  ...['plain', 'two words', 'a, b,c', '"quoted; text"', '', 'tab\there', '%2F%zz', 'a'.repeat(300)],
  ...['f\xc3\xbcr J\xc3\xb6rg\xe2\x80\xa6', 'f\xfcr J\xf6rg', '\xff\xfe\x80', '=?utf-8?q?a?=', 'W/"1", "2"'],
];
const names = ['X-Custom', 'x-lower', 'X-UPPER', 'X-a.b~c!', 'X-123', 'Pragma', 'Priority', 'Via'];
const segments = [
  ...[
    'a',
    'index.html',
    'b%20c',
    '%C3%BC',
    'a%2Fb',
    '%zz',
    '100%',
    'a|b',
    '"x"',
    '^{y}',
    '[1]',
    "it's",
    ';p=1',
    '..',
  ],
  ...['.', '', 'a+b', '~u', 'a:b', '@me', '!$&()*,=', '%2e%2e', '<t>', '`', 'a\\b', 'a#b'],
];
/** Below which the host of the tunnel lies. */
export const tunnelDomain = 'tunnel.localhost';
/** The value of what must not pass. */
export const forged = 'forged';
const forgedInRequests = [serviceTokenHeader, ...forgeableKinds.flatMap(({ examples }) => examples)];
const forgedInResponses = ['Clear-Site-Data', 'X-Edge-Error', 'CF-Ray', 'Cf-Cloudflared-X', 'cf-int-x'];
const wallCookies = (['session', 'state', 'email'] as const).flatMap((use) =>
  (['http', 'https'] as const).map((scheme) => wallCookie(use, scheme, forged, 60)),
);
/** As CGI and its like read it, too. */
const disguise = (random: Random, name: string) =>
  random.pick([name, name.toUpperCase(), name.replaceAll('-', '_'), name.replaceAll('-', '.')]);
const wallPair = (random: Random) =>
  `${random.pick(['', '', '='])}${random.pick(wallCookies).replace(/;.*/, '')}`;

const some = <T>(random: Random, most: number, make: () => T): T[] =>
  Array.from({ length: random.below(most + 1) }, make);

function makeBody(random: Random): Body {
  const size = random.pick([
    0,
    1,
    10,
    300,
    300,
    1_000,
    6_000,
    6_000,
    17_000,
    70_000,
    random.chance(0.05) ? 900_000 : 100,
  ]);
  const cuts = some(random, 5, () => Math.round(random.fraction() * 1e3) / 1e3).sort((a, b) => a - b);
  return { size, cuts, pauses: [...cuts, 1].map(() => random.pick([0, 0, 0, 1, 1, 2])) };
}

const makeFields = (random: Random): [string, string][] =>
  some(random, 4, () => [random.pick(names), random.pick(values)]);

function makeRequest(random: Random, kind: Connection['kind'], canBeOld: boolean): RequestPlan {
  const method = random.pick([
    'GET',
    'GET',
    'GET',
    'HEAD',
    'POST',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'PROPFIND',
  ]);
  const version = kind !== 'http2' && canBeOld && random.chance(0.25) ? '1.0' : '1.1';
  const framing = random.pick([
    'none',
    ...(method === 'HEAD' ? [] : (['length', ...(version === '1.0' ? [] : (['chunked'] as const))] as const)),
  ] as const);
  const query = random.chance(0.3)
    ? `?${some(random, 2, () => `${random.word(3)}=${random.pick(segments)}`).join('&')}`
    : '';
  const fields = makeFields(random);
  const maybe = (probability: number, name: string, value: () => string) => {
    if (random.chance(probability)) fields.splice(random.below(fields.length + 1), 0, [name, value()]);
  };
  maybe(0.7, 'Accept-Encoding', () => random.pick(['gzip, deflate, br', 'br', 'identity', '']));
  maybe(0.6, 'User-Agent', () => random.pick(['curl/8', 'Mozilla/5.0 (J\xc3\xb6rg)']));
  maybe(0.3, 'Accept', () => '*/*');
  maybe(0.2, 'Cookie', () =>
    random.pick(['a=1; b="2"; c=\xc3\xbc', `a=1; ${wallPair(random)}; b=2`, wallPair(random)]),
  );
  for (const name of some(random, 2, () => random.pick(forgedInRequests)))
    maybe(0.5, disguise(random, name), () => forged);
  maybe(0.2, 'Range', () => random.pick(['bytes=0-9', 'bytes=-5', 'bytes=0-1,4-']));
  maybe(0.1, 'Authorization', () => 'Basic YTpi');
  maybe(0.1, 'If-None-Match', () => 'W/"1", "2"');
  maybe(0.1, 'Origin', () => 'https://a.example');
  if (kind !== 'http2') maybe(0.1, 'Connection', () => 'keep-alive');
  const body = framing === 'none' ? none : makeBody(random);
  const trailers =
    framing === 'chunked' && random.chance(0.3) ? [['X-Sum', random.pick(values)] as const] : [];
  return {
    ...{ method, version, fields, framing, trailers },
    target: `/${some(random, 3, () => random.pick(segments)).join('/')}${query}`,
    body,
    expectsContinue:
      body.size > 0 && kind !== 'http2' && version === '1.1' && framing === 'length' && random.chance(0.1),
  };
}

function makeResponse(random: Random): ResponsePlan {
  const version = random.chance(0.15) ? '1.0' : '1.1';
  const status = random.pick([
    ...Array(14).fill(200),
    ...[201, 204, 204, 205, 206, 299, 301, 304, 400, 404, 418, 500, 502, 503, 599],
  ]);
  const framing = random.pick([
    'length',
    'close',
    ...(version === '1.0' ? [] : (['chunked', 'chunked'] as const)),
  ] as const);
  const fields = makeFields(random);
  const maybe = (probability: number, ...added: [string, string][]) => {
    if (random.chance(probability)) fields.splice(random.below(fields.length + 1), 0, ...added);
  };
  maybe(0.5, ['Content-Type', random.pick(['text/html; charset=utf-8', 'text/event-stream', 'image/png'])]);
  maybe(0.3, ['Date', 'Fri, 27 Nov 2026 12:00:00 GMT']);
  maybe(0.2, ['Set-Cookie', 'a=1; Path=/'], ['Set-Cookie', 'b=\xc3\xbc; HttpOnly']);
  maybe(0.3, ['Content-Disposition', `attachment; filename="${random.pick(values)}"`]);
  maybe(0.1, ['X-Content-Type-Options', 'nosniff'], ['X-Content-Type-Options', 'nosniff']);
  maybe(0.1, ['ETag', '"\xfc"']);
  maybe(0.1, ['Location', random.pick(['/f%C3%BCr', '/f\xc3\xbcr', 'https://a.example/'])]);
  maybe(0.1, ['WWW-Authenticate', 'Basic'], ['WWW-Authenticate', 'Bearer realm="a"']);
  maybe(0.1, ['Server', 'nginx'], ['Vary', 'Accept'], ['Vary', 'Origin']);
  maybe(0.1, ['Set-Cookie', `${random.pick(['', '='])}${random.pick(wallCookies)}`]);
  maybe(0.1, ['Set-Cookie', `d=1; Domain=${tunnelDomain}; Path=/`]);
  maybe(0.1, [random.pick(forgedInResponses), forged]);
  maybe(0.05, ['Trailer', 'X-Sum'], ['Keep-Alive', 'timeout=5']);
  if (status === 206) fields.push(['Content-Range', 'bytes 0-9/100']);
  const isZipped = random.chance(0.15);
  if (isZipped) fields.push(['Content-Encoding', 'gzip']);
  return {
    ...{ status, version, framing, fields, isZipped },
    body: makeBody(random),
    trailers:
      framing === 'chunked' && random.chance(0.5)
        ? makeFields(random).filter(([name]) => name !== 'Pragma')
        : [],
    interim: version === '1.1' && random.chance(0.1) ? [random.pick([102, 103])] : [],
    closes: framing === 'close' || version === '1.0' || random.chance(0.2),
  };
}

const breaks = [
  'origin before the head',
  'origin in the body',
  'visitor in the request',
  'visitor in the response',
] as const;

function makePlan(random: Random, kind: Connection['kind'], isAlone: boolean): Plan {
  const request = makeRequest(random, kind, isAlone);
  const response = makeResponse(random);
  const broken = isAlone && random.chance(0.15) ? random.pick(breaks) : null;
  if (broken) return breakOff({ request, response, breaks: broken, upgrade: null });
  if (!isAlone || kind === 'http2' || !random.chance(0.1))
    return { request, response, breaks: null, upgrade: null };
  const fields = request.fields.filter(([name]) => !/^(connection|range)$/i.test(name));
  return {
    request: {
      ...request,
      method: 'GET',
      version: '1.1',
      framing: 'none',
      body: none,
      trailers: [],
      expectsContinue: false,
      fields,
    },
    response: random.chance(0.8)
      ? { ...response, version: '1.1', status: 101, interim: [], isZipped: false }
      : response,
    breaks: null,
    upgrade: { toOrigin: random.pick([0, 5, 70_000]), toVisitor: random.pick([0, 5, 70_000]) },
  };
}

/** Gives a plan what its break needs: a body to break off in, of which cloudflared sends a half without waiting for more. */
function breakOff(plan: Plan): Plan {
  const body = { size: 20_000, cuts: [0.5], pauses: [1, 1] };
  const request: RequestPlan = { ...plan.request, expectsContinue: false };
  const response: ResponsePlan = { ...plan.response, status: 200, interim: [], isZipped: false };
  if (plan.breaks === 'visitor in the request')
    return {
      ...plan,
      request: { ...request, method: 'POST', version: '1.1', framing: 'length', body, trailers: [] },
      response,
    };
  if (plan.breaks === 'origin before the head') return { ...plan, request, response };
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  return {
    ...plan,
    request: { ...request, method },
    response: { ...response, body, fields: response.fields.filter(([name]) => name !== 'Content-Encoding') },
  };
}

/** The connection of that number: the same for the same seed. */
export function makeConnection(seed: number, number: number): Connection {
  const random = randomFrom(seed * 1_000_003 + number);
  const kind = random.pick(['plain', 'plain', 'tls', 'http2'] as const);
  const count = random.pick([1, 1, 2, 4, 6]);
  return {
    ...{
      kind,
      edge: random.chance(0.2) ? 1 : 0,
      proxy: number % sharers,
      isPipelined: random.chance(0.4),
      isSlow: random.chance(0.1),
    },
    plans: Array.from({ length: count }, () => makePlan(random, kind, count === 1)),
  };
}
