import { type RouteName, routes } from '@talpa/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { Client, newUser, proxyInput } from '../kit/client.ts';
import { useTalpa } from '../kit/system.ts';

const system = useTalpa();
const names = Object.keys(routes) as RouteName[];
const missingId = 999_999_999;

let owner: Client;
let stranger: Client;
let proxyId: number;

beforeAll(async () => {
  ({ client: owner } = await newUser(system.url, 'free'));
  ({ client: stranger } = await newUser(system.url, 'free'));
  ({
    proxy: { id: proxyId },
  } = await owner.call('POST /api/tunnel-configs', proxyInput()));
});

/** Sends a route's request with an id in its path and a body that would be valid. */
function send(client: Client, name: RouteName, id: number) {
  const [method = '', template = ''] = name.split(' ');
  const withBody = method === 'POST' || method === 'PUT';
  return client.send(method, template.replace(':id', String(id)), withBody ? proxyInput() : undefined);
}

/** What a stranger may compare: everything but what differs by nature. */
function visible(answer: Awaited<ReturnType<typeof send>>) {
  const body =
    answer.body && typeof answer.body === 'object' ? { ...answer.body, requestId: '' } : answer.body;
  const changing = new Set(['x-request-id', 'date']);
  return {
    status: answer.status,
    body,
    headers: [...answer.headers].filter(([name]) => !changing.has(name)),
  };
}

describe('somebody else’s proxy', () => {
  const withProxyId = names.filter((name) => name.includes(':id') && routes[name].access === 'user');

  it.each(withProxyId)('answers %s exactly as a missing one', async (name) => {
    const hidden = visible(await send(stranger, name, proxyId));
    const missing = visible(await send(stranger, name, missingId));
    expect(hidden).toEqual(missing);
    expect(hidden.status).toBe(404);
  });

  it('is in no list of his and unchanged afterwards', async () => {
    expect(await stranger.call('GET /api/tunnel-configs', {})).toEqual([]);
    const [proxy] = await owner.call('GET /api/tunnel-configs', {});
    expect(proxy).toMatchObject({ id: proxyId, status: 'inactive' });
  });

  it('is reached by an administrator through the same calls', async () => {
    const admin = await system.admin();
    const { token } = await admin.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxyId });
    expect(token.length).toBeGreaterThan(30);
    const all = await admin.call('GET /api/admin/tunnel-configs', {});
    expect(all.map((proxy) => proxy.id)).toContain(proxyId);
  });
});

describe('without the right to it', () => {
  it.each(names.filter((name) => routes[name].access !== 'public'))(
    'nobody anonymous gets %s',
    async (name) => {
      const answer = await send(new Client(system.url), name, missingId);
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ code: 'not_signed_in' });
    },
  );
  it.each(names.filter((name) => routes[name].access === 'admin'))('no plain user gets %s', async (name) => {
    const answer = await send(stranger, name, missingId);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ code: 'forbidden' });
  });
});
