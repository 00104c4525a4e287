import { fieldsIn } from '@talpa/contracts/schema-fields';
import { AppError } from '@talpa/service-kit/app-error';
import { type Random, randomFrom } from '@talpa/test-kit/requests/random';
import { plainInputOf, tableRoutes } from '@talpa/test-kit/requests/route';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { readInput } from './input.ts';
import { type ApiRoute, apiRoutes } from './table.ts';

const routeOf = (name: string): ApiRoute => {
  const route = apiRoutes.find((one) => one.name === name);
  if (!route) throw new Error(`there is no call ${name}`);
  return route;
};

/** What a call says to a request: nothing, or which fields are wrong. */
function faults(
  route: ApiRoute,
  { params = {}, ...given }: { params?: object; body?: unknown; query?: unknown },
) {
  try {
    readInput(route, { ...given, params } as FastifyRequest);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
    return (error.issues ?? []).map(({ path, key }) => `${path.join('.')}: ${key}`);
  }
}

it('an object made to look like a text is invalid input, not an error of ours', () => {
  const body = JSON.parse('{"username":"a","password":{"length":{"toString":1}}}');
  expect(faults(routeOf('POST /api/login'), { body })).toEqual([': invalid']);
});

/** Every object in a value, with the path to it. */
function objectsIn(value: unknown, path: readonly (string | number)[] = []) {
  if (typeof value !== 'object' || value === null) return [];
  const within: { object: Record<string, unknown>; path: readonly (string | number)[] }[] = Object.entries(
    value,
  ).flatMap(([name, inner]) => objectsIn(inner, [...path, name]));
  return Array.isArray(value) ? within : [{ object: value as Record<string, unknown>, path }, ...within];
}

/** A name as somebody might misspell it. */
function misspelt(name: string, random: Random): string {
  const at = random.below(name.length);
  return random.pick([
    `${name}s`,
    `${name.slice(0, at)}${name.slice(at + 1)}`,
    `${name}${name[at]}`,
    name.toUpperCase(),
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    ` ${name}`,
  ]);
}

describe.each(tableRoutes)('$name', (route) => {
  const random = randomFrom(34);
  const inputs = Array.from({ length: 30 }, () => plainInputOf(route, random));
  const sent = (input: Record<string, unknown>) => {
    const rest = { ...input };
    const params = Object.fromEntries(route.params.map((name) => [name, String(input[name])]));
    for (const name of route.params) delete rest[name];
    return { params, body: route.hasBody ? rest : undefined, query: route.hasBody ? undefined : rest };
  };

  it('takes what the contract names', () => {
    for (const input of inputs) expect(faults(routeOf(route.name), sent(input))).toEqual([]);
  });

  it('refuses by its name each field that the contract does not name, at any depth, but for what a browser adds to a passkey', () => {
    const known = new Set(
      [route.entry.input, route.entry.response]
        .flatMap((schema) => fieldsIn(schema))
        .map(({ path }) => path.split('.').at(-1)),
    );
    for (const input of inputs) {
      const request = sent(structuredClone(input));
      for (const { object, path } of objectsIn(request.body ?? request.query)) {
        const name = random.pick(['constructor', 'toString', '', ...Object.keys(object)]);
        const stray = name === '' || name in {} ? name : misspelt(name, random);
        if (known.has(stray)) continue;
        object[stray] = true;
        // WebAuthn's JSON is the browser's, which adds to it.
        const refused = path[0] === 'passkey' ? [] : [`${[...path, stray].join('.')}: unknownField`];
        expect(faults(routeOf(route.name), request)).toEqual(refused);
        delete object[stray];
      }
    }
  });

  it('takes no field where it has none: in the address of a call with a body, in the body of another', () => {
    const [input = {}] = inputs;
    const request = { ...sent(input), ...(route.hasBody ? { query: { x: '1' } } : { body: { x: 1 } }) };
    expect(faults(routeOf(route.name), request)).toEqual(['x: unknownField']);
  });
});

it('a client may send back what it has read, unchanged: only the fields of the input count', () => {
  const read = {
    ...{ id: 7, userId: 3, ownerName: null, serverName: 'Web', serverIP: '127.0.0.1', adminPort: 40_120 },
    ...{ proxyPort: 80, customUrl: null, createdAt: '2026-01-31T23:59:59.000Z', status: 'active' },
    ...{
      statusReason: null,
      changePending: false,
      tunnelHealth: null,
      tunnelHealthAt: null,
      cfTunnelId: null,
    },
    ...{ cfDnsRecordId: null, cfDomain: 'web.example.com', suspension: null, paused: null, membership: null },
  };
  const put = routeOf('PUT /api/tunnel-configs/:id');
  const params = { id: '7' };
  const body = { ...read, adminPort: 1, expected: read };
  const wanted = { serverName: 'Web', serverIP: '127.0.0.1', customUrl: null };
  expect(readInput(put, { params, body } as FastifyRequest)).toEqual({
    ...{ id: 7, ...wanted, adminPort: 1, expected: { ...wanted, adminPort: 40_120 } },
  });
  for (const wrong of [
    { id: 8 },
    { status: 'running' },
    { suspension: true },
    { expected: { ...read, id: 8 } },
  ])
    expect(faults(put, { params, body: { ...read, ...wrong } })).toEqual([
      expect.stringMatching(/: readOnly$/),
    ]);
  expect(faults(put, { params, body: { ...read, expected: { ...read, acces: 1 } } })).toEqual([
    'expected.acces: unknownField',
  ]);
  // A create has nothing to send back.
  const { id: _, ...created } = read;
  expect(faults(routeOf('POST /api/tunnel-configs'), { body: created })).toContain('status: unknownField');
});

it('names twenty unknown fields at most, and not the whole of a long name', () => {
  const body = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [`${index}`.padEnd(200, 'x'), 1]),
  );
  const found = faults(routeOf('POST /api/logout'), { body });
  expect(found).toHaveLength(20);
  expect(found[0]).toHaveLength(100 + ': unknownField'.length);
});

it('looks at no entry of a list that is too long', () => {
  const networks = Array.from({ length: 10_000 }, () => 'x');
  const body = { name: 'a', scopes: ['proxies:read'], networks, days: null };
  expect(faults(routeOf('POST /api/user/api-keys'), { body })).toEqual(['networks: tooMany']);
});
