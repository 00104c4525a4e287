import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  createServer as createHttp,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { testCertificate } from '@talpa/test-kit/certificate';
import { newUser, proxyInput } from '@talpa/test-kit/client';
import { type RunningConnector, startOurs, startReal } from '@talpa/test-kit/connector/connectors';
import { isLong, seedOf } from '@talpa/test-kit/lengths';
import { ask, begin, rawSocket } from '@talpa/test-kit/raw-http';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it, onTestFinished } from 'vitest';

/** Several proxies behind one connector of every make: ours, and the real one where CLOUDFLARED names it. */
const file = process.env.CLOUDFLARED;
const makes: [string, typeof startOurs][] = [['our own', startOurs]];
if (file) makes.push(['cloudflared', (start) => startReal(file, start)]);
const system = useTalpa();

const edge = () => {
  if (!system.talpa.edge) throw new Error('there is no edge');
  return system.talpa.edge;
};
/** So many changes; the first twelve are each kind’s. */
const steps = isLong ? 200 : 16;
/** What ends also what is open at the proxy itself. */
const ends = new Set(['suspend', 'pause']);
const joined = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n`;

/** A panel that says its name, and records what it is asked. */
async function startPanel(name: string, originProtocol: 'http' | 'https' = 'http') {
  const seen: string[] = [];
  /** By their paths: several proxies may lead to one panel, and several downloads begin at once. */
  const downloads = new Map<string, ServerResponse>();
  const answer: RequestListener = async (request, response) => {
    if (request.url?.startsWith('/download/')) {
      response.write(`${name}\n`);
      downloads.set(request.url, response);
      return;
    }
    let body = '';
    for await (const piece of request) body += piece;
    seen.push([request.headers.host, request.method, request.url, body].join(' '));
    response.end(name);
  };
  const server = originProtocol === 'https' ? createHttps(testCertificate, answer) : createHttp(answer);
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => {});
    socket.write(joined);
    socket.pipe(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port: adminPort } = server.address() as AddressInfo;
  const entries = { originProtocol, adminPort, verifyCertificate: originProtocol === 'http' };
  return { name, seen, downloads, entries };
}
type Panel = Awaited<ReturnType<typeof startPanel>>;

interface Proxy {
  readonly id: number;
  readonly host: string;
  /** What was entered when it was made: its name is also its address. */
  readonly input: ReturnType<typeof proxyInput>;
}
const visit = async ({ host }: Proxy, path = '/') => {
  const { status, headers, body } = await ask({ port: edge().visitorPort, host, path });
  return status === 200 ? body : (headers['x-edge-error'] ?? status);
};

/** A WebSocket and a download of a proxy's visitor. */
async function openFlow({ host }: Proxy, { downloads }: Panel) {
  const { socket, received } = rawSocket(
    edge().visitorPort,
    `GET /ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  const isOpen = { socket: true, download: true };
  socket.once('close', () => {
    isOpen.socket = false;
  });
  const path = `/download/${randomUUID()}`;
  const download: IncomingMessage = await begin({ port: edge().visitorPort, host, path });
  const response = downloads.get(path);
  let loaded = '';
  download.on('data', (piece: Buffer) => {
    loaded += piece;
  });
  download.on('error', () => {});
  download.once('close', () => {
    isOpen.download = false;
  });
  await until('the WebSocket', () => received().startsWith('HTTP/1.1 101 '));
  const end = () => {
    socket.destroy();
    download.destroy();
  };
  onTestFinished(end);
  let sent = '';
  return {
    isOpen: () => isOpen.socket && isOpen.download,
    isOver: () => !isOpen.socket && !isOpen.download,
    /** Something more comes back, and is downloaded. @throws when it does not */
    goOn: async (about = '') => {
      const text = `${sent.length}\n`;
      sent += text;
      socket.write(text);
      response?.write(text);
      await until(`${text} of ${host} ${about}`, () => {
        if (!isOpen.socket || !isOpen.download) return true;
        return received().endsWith(`\r\n\r\n${sent}`) && loaded.endsWith(`\n${sent}`);
      });
      expect([host, isOpen]).toEqual([host, { socket: true, download: true }]);
    },
    end,
  };
}

/** A new user's server behind a connector that runs, with these panels; those of `later` join it then. */
async function connect(start: typeof startOurs, panels: readonly Panel[], later: readonly Panel[] = []) {
  const { client } = await newUser(system.url, 'enterprise');
  const server = await client.call('POST /api/servers', { name: 'Maschine' });
  const join = async ({ entries }: Panel): Promise<Proxy> => {
    const input = proxyInput();
    const { proxy } = await client.call('POST /api/tunnel-configs', {
      ...{ ...input, ...entries, serverId: server.id },
    });
    return { id: proxy.id, host: proxy.cfDomain, input };
  };
  const proxies: Proxy[] = [];
  for (const panel of panels) proxies.push(await join(panel));
  const connectAgain = async () => {
    const { token } = await client.call('GET /api/servers/:id/tunnel-token', { id: server.id });
    const ca = readFileSync(edge().authorityFile, 'utf8');
    const connector = await start({ port: edge().connectorPort, ca, token });
    onTestFinished(() => connector.kill());
    return connector;
  };
  const connector: RunningConnector = await connectAgain();
  for (const panel of later) proxies.push(await join(panel));
  const reaches = (proxy: Proxy, panel: Panel) =>
    until(`${panel.name} at ${proxy.host}`, async () => (await visit(proxy)) === panel.name);
  for (const [at, panel] of [...panels, ...later].entries()) await reaches(proxies[at] as Proxy, panel);
  return { client, server, proxies, join, connector, connectAgain, reaches };
}
const threePanels = () => Promise.all([startPanel('eins'), startPanel('zwei', 'https'), startPanel('drei')]);

describe.each(makes)('several proxies behind %s', (make, start) => {
  it('reach each its own panel and no other, also the one that joined later', async () => {
    const panels = await threePanels();
    const { proxies } = await connect(start, panels.slice(0, 2), panels.slice(2));
    for (const { seen } of panels) seen.length = 0;
    const random = randomFrom(seedOf('TALPA_CONNECTOR_SEED', 1));
    const requests = Array.from({ length: 200 }, () => {
      const at = random.below(3);
      const method = random.pick(['GET', 'GET', 'POST', 'PUT']);
      const body = method === 'GET' ? '' : random.word(random.below(40));
      return { at, host: proxies[at]?.host ?? '', method, path: `/${random.word(8)}`, body };
    });
    const answers = await Promise.all(
      requests.map((request) => ask({ port: edge().visitorPort, ...request })),
    );
    expect(answers.map(({ body }) => body)).toEqual(requests.map(({ at }) => panels[at]?.name));
    // On one connection of a visitor, in turns.
    const inTurns = Array.from({ length: 30 }, (_, index) => ({
      at: random.below(3),
      path: `/turn-${index}`,
    }));
    const { socket, received } = rawSocket(edge().visitorPort, '');
    const named = () => received().match(/eins|zwei|drei/g) ?? [];
    for (const [index, { at, path }] of inTurns.entries()) {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${proxies[at]?.host}\r\n\r\n`);
      await until('the answer', () => named().length > index);
    }
    socket.destroy();
    expect(named()).toEqual(inTurns.map(({ at }) => panels[at]?.name));
    for (const [at, { seen }] of panels.entries()) {
      const host = proxies[at]?.host;
      const sent = requests.map((one) => [one.at, `${host} ${one.method} ${one.path} ${one.body}`] as const);
      const turns = inTurns.map((one) => [one.at, `${host} GET ${one.path} `] as const);
      const own = [...sent, ...turns].flatMap(([of, text]) => (of === at ? text : []));
      expect(seen.toSorted()).toEqual(own.toSorted());
    }
  });

  const title =
    'one that is edited, suspended, paused, moved away, deleted or joins changes itself, and interrupts nothing of its siblings';
  it(title, { timeout: 180_000 + steps * 10_000 }, async () => {
    const seed = seedOf('TALPA_CONNECTOR_SEED', 1);
    const random = randomFrom(seed);
    const panels = [...(await threePanels()), await startPanel('vier', 'https')];
    const { client, server, proxies, join, connectAgain } = await connect(start, panels.slice(0, 3));
    const admin = await system.admin();
    const elsewhere = await client.call('POST /api/servers', { name: 'Nebenan' });
    /** What its visitors get to: `gone` stands for a deleted one. */
    const slots = proxies.map((proxy, at) => ({
      ...{ proxy, panel: panels[at] as Panel, suspended: false, paused: false, away: false, gone: false },
    }));
    type Slot = (typeof slots)[number];
    const isServed = ({ suspended, paused, away, gone }: Slot) => !(suspended || paused || away || gone);
    const wanted = ({ panel, suspended, paused, away, gone }: Slot) => {
      if (gone) return 'unknown_host';
      if (suspended) return 'suspended';
      if (paused) return 'paused';
      return away ? 'no_connector' : panel.name;
    };
    const move = async (id: number, serverId: number) => {
      // Not while its last change is on its way.
      const moved = await until('that it may be moved', async () => {
        const { status, body } = await client.try('PUT /api/tunnel-configs/:id/server', { id, serverId });
        return 'code' in body && body.code === 'proxy_pending' ? null : status;
      });
      expect(moved).toBe(200);
    };
    const changes: Record<string, (slot: Slot, id: number) => Promise<unknown>> = {
      edit: (slot, id) => {
        slot.panel = random.pick(panels);
        return client.call('PUT /api/tunnel-configs/:id', {
          ...{ id, ...slot.proxy.input, ...slot.panel.entries },
        });
      },
      suspend: (slot, id) => {
        slot.suspended = true;
        return admin.call('POST /api/admin/tunnel-configs/:id/suspension', { id, reason: 'Spam' });
      },
      lift: (slot, id) => {
        slot.suspended = false;
        return admin.call('DELETE /api/admin/tunnel-configs/:id/suspension', { id });
      },
      pause: (slot, id) => {
        slot.paused = true;
        return client.call('PUT /api/tunnel-configs/:id/pause', { id, message: 'Kaffee' });
      },
      resume: (slot, id) => {
        slot.paused = false;
        return client.call('DELETE /api/tunnel-configs/:id/pause', { id });
      },
      move: (slot, id) => {
        slot.away = !slot.away;
        return move(id, slot.away ? elsewhere.id : server.id);
      },
      delete: (slot, id) => {
        Object.assign(slot, { suspended: false, paused: false, away: false, gone: true });
        return client.call('DELETE /api/tunnel-configs/:id', { id });
      },
      join: async (slot) => {
        slot.gone = false;
        slot.panel = random.pick(panels);
        slot.proxy = await join(slot.panel);
      },
    };
    const possible = ({ gone, suspended, paused }: Slot) => {
      if (gone) return ['join'];
      if (suspended) return ['lift', 'delete'];
      return ['edit', 'suspend', paused ? 'resume' : 'pause', 'move', 'delete'];
    };
    /** Each once at least, in this order, then whatever comes. */
    const first = 'edit suspend lift pause edit resume move edit move delete join'.split(' ');
    const done: string[] = [];
    /** Where all proxies of a server are suspended its connector is cut off. */
    const isShut = () => {
      const there = slots.filter(({ gone, away }) => !gone && !away);
      return there.length > 0 && there.every(({ suspended }) => suspended);
    };
    let isCut = false;
    for (let step = 0; step < steps; step += 1) {
      const slot = step < first.length ? (slots[1] as Slot) : random.pick(slots);
      const change = first[step] ?? random.pick(possible(slot));
      done.push(`${change} ${slot.proxy.host}`);
      const said = `TALPA_CONNECTOR_SEED=${seed}: ${done.join(', ')}`;
      const open = (one: Slot) => openFlow(one.proxy, one.panel);
      const [own, siblings] = [slots.filter((one) => one === slot), slots.filter((one) => one !== slot)];
      const ownFlows = await Promise.all(own.filter(isServed).map(open));
      const flows = await Promise.all(siblings.filter(isServed).map(open));
      let isDone = false;
      const changed = changes[change]?.(slot, slot.proxy.id).finally(() => {
        isDone = true;
      });
      while (!isDone) {
        for (const flow of flows) await flow.goOn(said);
        // No sibling may be served.
        await turn();
      }
      await changed;
      // Ours does not come back by itself; it is let in once the edge has the change.
      if (isCut && !isShut()) await until('the connector', () => connectAgain().catch(() => null));
      isCut = make === 'our own' && isShut();
      await until(`${wanted(slot)} (${said})`, async () => (await visit(slot.proxy)) === wanted(slot));
      if (ends.has(change))
        await until(`its own end (${said})`, () => ownFlows.every((flow) => flow.isOver()));
      // A configuration may come to the connector later than a visitor learns of it.
      for (const one of slots) expect(await visit(one.proxy), said).toBe(wanted(one));
      for (const flow of flows) await flow.goOn(said);
      for (const flow of [...flows, ...ownFlows]) flow.end();
    }
  });

  it('are cut by a new tunnel of their server, all of them, and come back by its token, all of them', async () => {
    const panels = await threePanels();
    const { client, server, proxies, connector, connectAgain, reaches } = await connect(start, panels);
    const flows = await Promise.all(proxies.map((proxy, at) => openFlow(proxy, panels[at] as Panel)));
    for (const flow of flows) await flow.goOn();
    await client.call('POST /api/servers/:id/recreate', { id: server.id });
    await until('the end of all', () => flows.every((flow) => flow.isOver()));
    for (const proxy of proxies)
      await until('that nobody is connected', async () => (await visit(proxy)) === 'no_connector');
    // The old token is none any more.
    if (make === 'cloudflared')
      await until('its complaint', () => connector.output().includes('Unauthorized'));
    await connectAgain();
    for (const [at, panel] of panels.entries()) await reaches(proxies[at] as Proxy, panel);
  });

  it.runIf(make === 'cloudflared')('say each for itself alone why its panel is away', async () => {
    const panels = await threePanels();
    const [plain, secure] = panels as [Panel, Panel, Panel];
    const { client, proxies } = await connect(start, panels);
    const [first, second, third] = proxies as [Proxy, Proxy, Proxy];
    const originOf = async ({ id }: Proxy) => {
      const { origin } = await client.call('GET /api/tunnel-configs/:id/health', { id });
      return [origin?.state, origin?.problem];
    };
    // Each is asked in the language of the other, and both at once.
    const { adminPort } = secure.entries;
    const edit = ({ id, input }: Proxy, entries: object) =>
      client.call('PUT /api/tunnel-configs/:id', { id, ...input, ...entries });
    await Promise.all([
      edit(first, { adminPort }),
      edit(second, { ...secure.entries, adminPort: plain.entries.adminPort }),
    ]);
    const visits = async () => [await visit(first), await visit(second), await visit(third)];
    const away = 'origin_unreachable';
    await until('both to be away', async () => String(await visits()) === String([away, away, 'drei']));
    const problems = [
      ['unreachable', 'closes'],
      ['unreachable', 'speaks_http'],
      ['ok', null],
    ];
    await until('both problems', async () => {
      // The connector is asked when a visitor comes, and again after 30 s.
      await visits();
      const seen = [await originOf(first), await originOf(second), await originOf(third)];
      return JSON.stringify(seen) === JSON.stringify(problems);
    });
    expect(await visit(third)).toBe('drei');
  });
});
