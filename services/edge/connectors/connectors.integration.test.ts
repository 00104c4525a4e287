import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { type AddressInfo, connect as connectTcp } from 'node:net';
import {
  ConnectorLink,
  connectLink,
  dialEdge,
  proxyTo,
  startTestConnector,
} from '@talpa/test-kit/connector/connector';
import { openLine } from '@talpa/test-kit/connector/line';
import { useEdge } from '@talpa/test-kit/edge';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { bytesLeftBy } from '@talpa/test-kit/memory';
import { ask } from '@talpa/test-kit/raw-http';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { edgeMeter } from '../metrics.ts';

const stores = useStores();
const provider = useProvider(stores);
const test = useEdge(provider);
const tunnels = '/client/v4/accounts/account1/cfd_tunnel';
const origin = createServer((request, response) => response.end(`origin ${request.url}`));
let onStream = proxyTo(0);
const links: ConnectorLink[] = [];

beforeAll(async () => {
  await new Promise<void>((done) => origin.listen(0, '127.0.0.1', done));
  onStream = proxyTo((origin.address() as AddressInfo).port);
});
afterAll(() => {
  origin.closeAllConnections();
  origin.close();
});
let name = '';
let id = '';
let token = '';

const rules = (...ingress: object[]) =>
  provider.send('PUT', `${tunnels}/${id}/configurations`, { config: { ingress } });
const rule = () => ({ hostname: `${name}.tunnel.localhost`, service: 'http://127.0.0.1:40120' });
const tunnel = async () =>
  (await provider.send('GET', `${tunnels}/${id}`)).body.result as {
    readonly status: string;
    readonly conns_inactive_at: string | null;
  };
const status = async () => (await tunnel()).status;
/** Where the next connector and visitor come to. */
let at = test;
const use = (one: typeof test) => () => {
  at = one;
};
const options = () => ({ port: at.edge.connectors.port, ca: at.ca, token, onStream });
const rows = async () => (await provider.edgeSql`select 1 from tunnel_provider.connections`).length;
const link = async (index = 0, connectorId = randomUUID()) => {
  const opened = await connectLink({ ...options(), connectorId }, index);
  links.push(opened.link);
  return opened;
};
const visit = () => ask({ port: at.edge.visitors.httpPort, host: `${name}.tunnel.localhost`, path: '/hi' });

beforeEach(async () => {
  name = `t${randomUUID().slice(0, 8)}`;
  const { body } = await provider.send('POST', tunnels, { name, config_src: 'cloudflare' });
  ({ id, token } = body.result as { id: string; token: string });
  await rules(rule(), { service: 'http_status:404' });
  await provider.lead(`${name}.tunnel.localhost`, id);
});
afterEach(async () => {
  for (const { socket } of links.splice(0)) socket.destroy();
  await until('every connection to be gone', () => at.edge.connectors.registry.size === 0);
});

/** The origin sends half of its next response, and the rest when this is resolved. */
function holdHalfResponse(): PromiseWithResolvers<void> {
  const held = Promise.withResolvers<void>();
  origin.removeAllListeners('request').once('request', async (_request, response) => {
    response.write('the');
    await held.promise;
    response.end(' whole');
  });
  return held;
}

describe('a connector', () => {
  it('with the tunnel’s secret registers four connections and carries requests', async () => {
    expect(await status()).toBe('inactive');
    const connector = await startTestConnector(options());
    links.push(...connector.links);
    await until('four rows', async () => (await status()) === 'healthy');
    for (let turn = 0; turn < 8; turn += 1) expect((await visit()).body).toBe('origin /hi');
    const { body } = await provider.send('GET', `${tunnels}/${id}/connections`);
    await until('the version of the configuration', async () => {
      const { body } = await provider.send('GET', `${tunnels}/${id}/connections`);
      return (body.result as { config_version: number }[])[0]?.config_version === 1;
    });
    expect(body.result).toMatchObject([
      { id: connector.connectorId, version: '2026.8.2', arch: 'linux_amd64' },
    ]);
    expect((body.result as { conns: unknown[] }[])[0]?.conns).toHaveLength(4);
    connector.links[0]?.socket.destroy();
    await until('one to be missed', async () => (await status()) === 'degraded');
    expect((await visit()).body).toBe('origin /hi');
    connector.kill();
    await until('the tunnel to be down', async () => (await status()) === 'down');
    expect((await visit()).status).toBe(503);
  });

  it('with another secret, or of no tunnel, is refused and its connection closed', async () => {
    const content = JSON.parse(Buffer.from(token, 'base64').toString());
    const encode = (changes: object) =>
      Buffer.from(JSON.stringify({ ...content, ...changes })).toString('base64');
    const wrong = [
      { s: Buffer.alloc(32, 1).toString('base64') },
      { s: Buffer.alloc(31, 1).toString('base64') },
      { s: '' },
      { t: randomUUID() },
    ];
    const attempt = async (changes: object) => {
      const { link: refused, response } = await connectLink({ ...options(), token: encode(changes) });
      expect(response).toMatchObject({ cause: expect.stringContaining('Unauthorized'), shouldRetry: false });
      await refused.closed;
    };
    await Promise.all(wrong.map(attempt));
    expect(await status()).toBe('inactive');
  });

  it('that needs another token waits for its response, and cannot ask all the time', async () => {
    const connectorId = randomUUID();
    await link(0, connectorId);
    const strange = Buffer.from(token, 'base64').toString().replace(id, randomUUID());
    const hopeless = connectLink({ ...options(), token: Buffer.from(strange).toString('base64') });
    let isAnswered = false;
    void hopeless.finally(() => {
      isAnswered = true;
    });
    // One that may come back is told so at once.
    const { response } = await link(0, connectorId);
    expect([response, isAnswered]).toMatchObject([{ cause: 'EDUPCONN' }, false]);
    expect((await hopeless).response).toMatchObject({ cause: expect.stringContaining('Unauthorized') });
  });

  it('may share a tunnel with other connectors', async () => {
    const [one, two] = [await startTestConnector(options()), await startTestConnector(options())];
    links.push(...one.links, ...two.links);
    expect(test.edge.connectors.registry.of(id)).toHaveLength(8);
    one.kill();
    await until('four to be left', () => test.edge.connectors.registry.of(id).length === 4);
    expect((await visit()).body).toBe('origin /hi');
  });

  it('gets its configuration when it connects and whenever it changes, versions in order', async () => {
    const { link: one } = await link();
    await until('the first', () => one.configurations.length === 1);
    expect(one.configurations[0]?.version).toBe(1);
    for (const port of [1, 2, 3])
      await rules({ ...rule(), service: `http://127.0.0.1:${port}` }, { service: 'http_status:404' });
    await until('the last', () => one.configurations.at(-1)?.version === 4);
    const { config } = one.configurations.at(-1) ?? {};
    expect(config).toMatchObject({ ingress: [{ service: 'http://127.0.0.1:3' }, {}] });
  });

  it('that leaves gets no new requests, finishes what runs, and is gone for the panel at once', async () => {
    const held = holdHalfResponse();
    const { link: leaving } = await link();
    const response = visit();
    await until('the request to arrive', () => test.edge.connectors.registry.of(id)[0]?.openStreams === 1);
    await leaving.unregister();
    await until('the tunnel to be down', async () => (await status()) === 'down');
    origin.on('request', (request, response) => response.end(`origin ${request.url}`));
    expect((await visit()).status).toBe(503);
    held.resolve();
    expect((await response).body).toBe('the whole');
    await leaving.closed;
    expect((await tunnel()).conns_inactive_at).not.toBeNull();
    await link();
    await until('it to count', async () => (await status()) !== 'down');
    expect((await tunnel()).conns_inactive_at).toBeNull();
  });
});

describe('the edge ends a tunnel’s connections at once when', () => {
  // It does not look by itself every five seconds.
  const still = useEdge(provider, {}, { heldMs: 5_000 });
  beforeAll(use(still));
  afterAll(use(test));

  it.each([
    ['it is deleted', async () => void (await provider.send('DELETE', `${tunnels}/${id}?cascade=true`))],
    ['they are dropped', async () => void (await provider.send('DELETE', `${tunnels}/${id}/connections`))],
    ['it is suspended', async () => void (await rules({ service: 'http_status:403' }))],
  ])('both are cut: %s', async (_what, change) => {
    const { link: one } = await link(0);
    const { link: two } = await link(1);
    await change();
    await Promise.all([one.closed, two.closed]);
    await until('the rows to be gone', async () => (await rows()) === 0);
  });

  it('it is deleted while one of them finishes what runs', async () => {
    const held = holdHalfResponse();
    const { link: leaving } = await link();
    const response = visit().catch(() => 'broken');
    await until('the request to arrive', () => at.edge.connectors.registry.of(id)[0]?.openStreams === 1);
    await leaving.unregister();
    await provider.send('DELETE', `${tunnels}/${id}?cascade=true`);
    origin.on('request', (request, response) => response.end(`origin ${request.url}`));
    await leaving.closed;
    expect(await response).toBe('broken');
    held.resolve();
  });

  it('another edge made the change, and lets it in again when it may', async () => {
    const other = await at.another();
    onTestFinished(() => other.stop());
    const { port, certificate: ca } = other.connectors;
    const opened = await connectLink({ ...options(), port, ca });
    await rules({ service: 'http_status:403' });
    await opened.link.closed;
    expect((await visit()).status).toBe(403);
    const { response } = await link();
    expect(response).toMatchObject({
      cause: 'Tunnel is suspended',
      shouldRetry: true,
      retryAfterMs: 30_000,
    });
    await rules(rule(), { service: 'http_status:404' });
    expect((await link()).response).toMatchObject({ remotelyManaged: true });
    // The edge caches for a second that the name is suspended, unless the notification comes before.
    await until('visitors to be let in', async () => (await visit()).body === 'origin /hi');
  });

  it('its secret was rotated: only for those that come anew', async () => {
    const { link: stays } = await link();
    const tunnel_secret = Buffer.alloc(32, 9).toString('base64');
    await provider.send('PATCH', `${tunnels}/${id}`, { tunnel_secret });
    expect((await link(1)).response).toHaveProperty('cause');
    expect(stays.socket.destroyed).toBe(false);
    expect((await visit()).body).toBe('origin /hi');
  });
});

describe('nothing a peer does hurts the others:', () => {
  it('a replayed connection is refused as such, and the one that lives goes on', async () => {
    const connectorId = randomUUID();
    const { link: first } = await link(0, connectorId);
    const { response, link: second } = await link(0, connectorId);
    expect(response).toMatchObject({ cause: 'EDUPCONN', shouldRetry: true });
    await second.closed;
    expect(first.socket.destroyed).toBe(false);
    expect((await visit()).body).toBe('origin /hi');
  });

  it('who has not the secret learns of no connection and ends none, however often they ask', async () => {
    const connectorId = randomUUID();
    const { link: first } = await link(0, connectorId);
    const content = JSON.parse(Buffer.from(token, 'base64').toString());
    const wrong = { ...content, s: Buffer.alloc(32, 1).toString('base64') };
    const forged = Buffer.from(JSON.stringify(wrong)).toString('base64');
    const attempts = Array.from({ length: 30 }, () =>
      connectLink({ ...options(), token: forged, connectorId }),
    );
    for (const { response } of await Promise.all(attempts))
      expect(response).toMatchObject({ cause: expect.stringContaining('Unauthorized') });
    // Many at once get the same response.
    const again = await Promise.all(
      Array.from({ length: 20 }, () => connectLink({ ...options(), connectorId })),
    );
    expect(new Set(again.map(({ response }) => 'cause' in response && response.cause))).toEqual(
      new Set(['EDUPCONN']),
    );
    expect(first.socket.destroyed).toBe(false);
    expect((await visit()).body).toBe('origin /hi');
  });

  it('one whose connector asks for it gives way to its successor', async () => {
    const connectorId = randomUUID();
    const { link: first } = await link(0, connectorId);
    const { response, link: second } = await connectLink({
      ...options(),
      connectorId,
      replaceExisting: true,
    });
    links.push(second);
    expect(response).toHaveProperty('connectionId');
    await first.closed;
    expect((await visit()).body).toBe('origin /hi');
  });

  it('a connector that responds to its configuration with nonsense, or never, harms itself alone', async () => {
    const { link: good } = await link(0);
    const socket = await dialEdge(options().port, test.ca);
    const odd = new ConnectorLink(socket, onStream, (stream, turn) => {
      if (turn === 1) return void stream.respond({ ':status': 500 });
      if (turn === 2) return stream.close(8);
      stream.respond({ ':status': 200 });
      stream.end('{');
    });
    links.push(odd);
    await odd.register(token, randomUUID(), 0);
    for (const port of [1, 2, 3])
      await rules({ ...rule(), service: `http://127.0.0.1:${port}` }, { service: 'http_status:404' });
    await until('the good one to have it', () => good.configurations.at(-1)?.version === 4);
    await until('the odd one to have been asked', () => odd.asked >= 3);
    expect(good.socket.destroyed).toBe(false);
  });

  it('one that is asked whether it lives and does not respond is dropped, its successor let in', async () => {
    const hasty = await test.another({ EDGE_CONNECTOR_PING_MS: '500' });
    onTestFinished(() => hasty.stop());
    const connectorId = randomUUID();
    const line = await openLine(hasty.connectors.port);
    const { link: dead } = await connectLink({ ...options(), port: line.port, connectorId });
    links.push(dead);
    line.goDead();
    await until('it to be dropped', async () => hasty.connectors.registry.of(id).length === 0);
    await until('its row to be gone', async () => (await status()) === 'down');
    expect((await link(0, connectorId)).response).toHaveProperty('connectionId');
    line.close();
  });

  it('one that never registers, never shakes hands, or sends garbage is closed in time and counted', async () => {
    const refused = vi.spyOn(edgeMeter, 'connectorRefused').mockClear();
    const hasty = await test.another({ EDGE_CONNECTOR_REGISTER_MS: '2000' });
    onTestFinished(() => hasty.stop());
    const { port } = hasty.connectors;
    const { link: good } = await connectLink({ ...options(), port });
    links.push(good);
    const silent = new ConnectorLink(await dialEdge(port, test.ca), onStream);
    await silent.control;
    const garbage = new ConnectorLink(await dialEdge(port, test.ca), onStream);
    const stream = await garbage.control;
    stream.respond({ ':status': 200 });
    stream.write(Buffer.alloc(64, 0xff));
    const noHttp = await dialEdge(port, test.ca);
    noHttp.write('GET / HTTP/1.1\r\n\r\n'.repeat(10));
    const noTls = connectTcp(port, '127.0.0.1');
    noTls.on('error', () => {});
    noTls.write('SSH-2.0-OpenSSH\r\n');
    // As a load balancer checks a port; this is nobody who was refused.
    const check = connectTcp(port, '127.0.0.1', () => check.destroy());
    const noTlsGone = new Promise((done) => noTls.once('close', done));
    noTls.resume();
    noHttp.resume();
    await Promise.all([
      silent.closed,
      garbage.closed,
      noTlsGone,
      new Promise((done) => noHttp.once('close', done)),
    ]);
    expect(good.socket.destroyed).toBe(false);
    expect(refused.mock.calls.flat().sort()).toEqual(['late', 'tls']);
    const hastily = { port: hasty.visitors.httpPort, host: `${name}.tunnel.localhost`, path: '/hi' };
    expect((await ask(hastily)).body).toBe('origin /hi');
  });

  it('a fifth index, or a second registration on one connection, is refused', async () => {
    expect((await link(4)).response).toMatchObject({ cause: expect.stringContaining('Too many') });
    const { link: twice } = await link(0);
    await expect(twice.register(token, randomUUID(), 1)).rejects.toThrow();
    await twice.closed;
  });

  it('an address that opens too many connections without registering waits for its own', async () => {
    const { link: registered } = await link();
    const silent = await Promise.all(Array.from({ length: 64 }, () => dialEdge(options().port, test.ca)));
    await expect(dialEdge(options().port, test.ca)).rejects.toThrow();
    expect(registered.socket.destroyed).toBe(false);
    for (const socket of silent) socket.destroy();
    await until('a place', async () => (await link()).response);
  });
});

it('what an edge held that died without a word is removed, and the tunnel is down', async () => {
  const edgeId = randomUUID();
  await provider.edgeSql`
    insert into tunnel_provider.connections (id, tunnel_id, client_id, client_version, arch, colo_name, origin_ip,
      run_at, edge_id, seen_at)
    values (${randomUUID()}, ${id}, ${randomUUID()}, '1', 'x', 'y', '::1', now(), ${edgeId},
      now() - interval '20 seconds')`;
  await provider.edgeSql`update tunnel_provider.tunnels set conns_active_at = now() where id = ${id}`;
  await until('the next look', async () => (await status()) === 'down');
});

it('when the database cuts the line on which changes come, nothing is missed for long', async () => {
  const { link: one } = await link();
  await provider.edgeSql`
    select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen %' and pid <> pg_backend_pid()`;
  await rules({ ...rule(), service: 'http://127.0.0.1:9' }, { service: 'http_status:404' });
  await until('the configuration', () => one.configurations.at(-1)?.version === 2);
});

it('a thousand reconnects leave nothing behind', async () => {
  // One that merely waits its turn is no connector that never registers.
  const patient = await test.another({ EDGE_CONNECTOR_REGISTER_MS: '30000' });
  const { port, registry } = patient.connectors;
  const turn = async () => {
    const { link: one } = await connectLink({ ...options(), port });
    one.socket.destroy();
  };
  const left = await bytesLeftBy(async () => {
    for (let round = 0; round < 25; round += 1) {
      await Promise.all(Array.from({ length: 20 }, turn));
      // A tunnel holds a hundred at most, those included that are just going.
      await until('room for the next', async () => (await rows()) < 40);
    }
    await until('all to be forgotten', () => registry.size === 0);
    await until('every row to be gone', async () => (await rows()) === 0);
  });
  expect(registry.size).toBe(0);
  await patient.stop();
  expect(left).toBeLessThan(8 * 1_048_576);
}, 600_000);
