import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { carrySession } from '@talpa/test-kit/signed-in';
import { apart, useTalpa } from '@talpa/test-kit/system';
import { providerOf } from '@talpa/test-kit/tunnels';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startReceiver } from './otlp.ts';

const receiver = await startReceiver();
const system = useTalpa({ ...apart, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
const browser = useBrowser();
afterAll(() => receiver.stop());

const provider = () => providerOf(system.talpa);
let client: Client;
beforeEach(async () => {
  ({ client } = await newUser(system.url, 'basic'));
});

/** A create as a browser sends it, with headers of its own; status, request id and body. */
async function create(headers: Record<string, string> = {}) {
  const response = await fetch(`${system.url}/api/tunnel-configs`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: client.cookie,
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    body: JSON.stringify(proxyInput()),
  });
  const requestId = response.headers.get('x-request-id') ?? '';
  return { status: response.status, requestId, body: await response.json() };
}

describe('a request', () => {
  it('is one trace from the gateway to the provider’s database, under the caller’s own', async () => {
    const traceId = 'a'.repeat(32);
    const { status, requestId } = await create({ traceparent: `00-${traceId}-${'b'.repeat(16)}-00` });
    expect(status).toBe(201);
    const trace = () => receiver.spans.filter((span) => span.traceId === traceId);
    const wanted = [
      ['talpa-gateway', 'POST /api/tunnel-configs'],
      ['talpa-gateway', 'proxies.createProxy'],
      ['talpa-proxies', 'proxies.createProxy'],
      ['talpa-proxies', 'transaction'],
      ['talpa-proxies', 'INSERT'],
      ['talpa-tunnel-worker', 'tunnel-worker-enqueue'],
      ['talpa-tunnel-worker', 'run'],
      ['talpa-tunnel-worker', 'provider: create tunnel'],
      ['talpa-tunnel-provider', 'createTunnel'],
      ['talpa-tunnel-provider', 'INSERT'],
      ['talpa-tunnel-worker', 'proxies.reportServer'],
      ['talpa-proxies', 'proxies.reportServer'],
    ];
    const found = await until('the whole trace', () => {
      const names = new Set(trace().map(({ process, name }) => `${process} ${name}`));
      const missing = wanted.filter((pair) => !names.has(pair.join(' ')));
      if (missing.length > 0) throw new Error(`missing: ${missing.join('; ')} of ${[...names].join('; ')}`);
      return trace();
    });
    const ids = new Set(found.map(({ spanId }) => spanId));
    const root = found.find(({ name }) => name === 'POST /api/tunnel-configs');
    expect(root?.attributes).toMatchObject({
      'http.route': '/api/tunnel-configs',
      'http.response.status_code': '201',
      'talpa.request_id': requestId,
    });
    expect(root?.parentSpanId).toBe('b'.repeat(16));
    await until('no step hangs in the air', () =>
      trace().every((span) => span === root || trace().some(({ spanId }) => spanId === span.parentSpanId)),
    );
    expect(ids.size).toBe(found.length);
  });

  it('begins its trace in the browser, each with an id of its own', async () => {
    const { page, complaints } = await browser.open(system.url);
    await carrySession(page, client);
    const sent: string[] = [];
    page.on('request', (request) => {
      const { traceparent } = request.headers();
      if (traceparent) sent.push(traceparent);
    });
    await page.goto('/');
    const some = await until('some calls', () => sent.length > 2 && [...sent]);
    const ids = some.map((header) => header.match(/^00-([\da-f]{32})-([\da-f]{16})-00$/)?.slice(1) ?? []);
    expect(new Set(ids.map(([traceId]) => traceId)).size).toBe(some.length);
    await until('a trace of each', () =>
      ids.every(([traceId, parentSpanId]) =>
        receiver.spans.some((span) => span.traceId === traceId && span.parentSpanId === parentSpanId),
      ),
    );
    expect(complaints).toEqual([]);
  });

  it('leaves no secret and no parameter in its trace', async () => {
    const { body } = await create();
    const { proxy } = body as { proxy: { id: number; serverName: string } };
    const { token } = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
    const traced = receiver.spans.length;
    await until('the trace of the token', () =>
      receiver.spans.some(({ name }) => name === 'GET /api/tunnel-configs/:id/tunnel-token'),
    );
    expect(traced).toBeGreaterThan(0);
    const cookie = client.cookie.slice(client.cookie.indexOf('=') + 1);
    for (const secret of [token, cookie, testPassword, proxy.serverName, system.talpa.secrets.providerToken])
      expect(receiver.text().includes(secret)).toBe(false);
  });

  it('that fails is found by one id in the logs of every process that worked on it', async () => {
    await provider().fault({
      match: { operation: 'createTunnel' },
      fault: 'refuse',
      status: 400,
      code: 1034,
      times: 1,
    });
    const { status, requestId, body } = await create();
    expect([status, (body as { requestId: string }).requestId]).toEqual([502, requestId]);
    const folder = join(system.talpa.home, 'log');
    const processes = await until('the lines of all', () => {
      const names = readdirSync(folder).filter((name) =>
        readFileSync(join(folder, name), 'utf8')
          .split('\n')
          .some((line) => line.startsWith('{') && JSON.parse(line).requestId === requestId),
      );
      return names.length >= 4 && names.map((name) => name.replace('.log', '')).sort();
    });
    expect(processes).toEqual(['gateway', 'proxies', 'tunnel-provider', 'tunnel-worker']);
  });
});
