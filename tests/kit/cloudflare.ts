import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';

interface Call {
  readonly method: string;
  /** Below `/client/v4`, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
}

interface ResponseBody {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text as it is. */
  readonly body: unknown;
}
/** A response that is given instead of the usual one; undefined: the usual one after all. */
type Script = (call: Call) => ResponseBody | undefined;

interface Tunnel {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  deleted_at: string | null;
  conns_active_at: string | null;
  conns_inactive_at: string | null;
  secret: string;
  status: 'inactive' | 'degraded' | 'healthy' | 'down';
}
interface DnsRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly proxied: boolean;
  readonly comment: string;
  readonly created_on: string;
}

export const refused = (status: number, code: number, message = 'refused'): ResponseBody => ({
  status,
  body: { success: false, errors: [{ code, message }], messages: [], result: null },
});

const ok = (result: unknown): ResponseBody => ({ body: { success: true, errors: [], messages: [], result } });

const activeZone = () => ({ account: { id: 'account1' }, status: 'active', paused: false });

/** Cloudflare as its published descriptions have it, for what our own provider does not do. In memory. */
export class Cloudflare {
  readonly tunnels = new Map<string, Tunnel>();
  readonly records = new Map<string, DnsRecord>();
  /** What was asked, in order: method and path. */
  readonly calls: string[] = [];
  script: Script = () => undefined;
  /** The zone's name: a name outside it gets it appended. */
  zoneName = 'example.com';
  zone: { account: { id: string }; status: string; paused: boolean } = activeZone();
  /** More than this is never on one page. */
  mostOnPage = 1_000;
  url = '';

  /** What the worker gets to know of it. */
  get settings() {
    return {
      CLOUDFLARE_BASE_URL: this.url,
      CLOUDFLARE_API_TOKEN: 'token',
      CLOUDFLARE_ACCOUNT_ID: 'account1',
      CLOUDFLARE_ZONE_ID: 'zone1',
    };
  }

  response(call: Call): ResponseBody {
    this.calls.push(`${call.method} ${call.path}`);
    const scripted = this.script(call);
    if (scripted) return scripted;
    const [, top, owner, kind, id = '', part = ''] = call.path.split('/');
    const known = { accounts: 'account1', zones: 'zone1' };
    if (owner !== known[top as keyof typeof known]) return refused(404, 7003, 'Could not route');
    if (top === 'zones' && !kind) return ok({ ...this.zone, id: 'zone1', name: this.zoneName });
    if (kind === 'cfd_tunnel') return this.tunnel(call, id, part);
    return kind === 'dns_records' ? this.dns(call, id) : refused(404, 7000, 'No route for that URI');
  }

  private tunnel(call: Call, id: string, part: string): ResponseBody {
    if (!id) return call.method === 'POST' ? this.createTunnel(call) : this.listTunnels(call);
    const tunnel = this.tunnels.get(id);
    if (!tunnel) return refused(404, 1003, 'Tunnel not found');
    if (part === 'configurations') return ok({ tunnel_id: id, version: 1, config: call.body.config });
    if (part === 'token') return ok('token');
    if (part === 'connections') return ok(call.method === 'DELETE' ? null : []);
    if (call.method === 'PATCH') tunnel.secret = String(call.body.tunnel_secret ?? tunnel.secret);
    if (call.method === 'DELETE') tunnel.deleted_at = new Date().toISOString();
    return ok(tunnel);
  }

  private createTunnel({ body }: Call): ResponseBody {
    const isTaken = [...this.tunnels.values()].some((one) => one.name === body.name && !one.deleted_at);
    if (isTaken) return refused(409, 1013, 'You already have a tunnel with this name.');
    const created_at = new Date().toISOString();
    const never = { deleted_at: null, conns_active_at: null, conns_inactive_at: created_at };
    const id = randomUUID();
    const tunnel: Tunnel = {
      id,
      name: String(body.name),
      created_at,
      ...never,
      secret: '',
      status: 'inactive',
    };
    this.tunnels.set(id, tunnel);
    return ok(tunnel);
  }

  private listTunnels({ query }: Call): ResponseBody {
    const prefix = query.get('include_prefix') ?? '';
    const all = [...this.tunnels.values()].filter(
      ({ name, deleted_at }) => name.startsWith(prefix) && deleted_at === null,
    );
    return this.page(all, query);
  }

  private dns({ method, query, body }: Call, id: string): ResponseBody {
    if (method === 'GET') {
      const name = query.get('name.exact');
      const comment = query.get('comment.exact');
      const start = query.get('comment.startswith') ?? '';
      const all = [...this.records.values()].filter(
        (one) =>
          (name === null || one.name === name) &&
          (comment === null || one.comment === comment) &&
          one.comment.startsWith(start),
      );
      // What has no order may come in another one on each page.
      if (!query.get('order') && Number(query.get('page')) % 2 === 0) all.reverse();
      return this.page(all, query);
    }
    if (method === 'DELETE') {
      if (!this.records.delete(id)) return refused(404, 81_044, 'Record does not exist.');
      // The one response that its description gives no envelope.
      return { body: { result: { id } } };
    }
    const known = this.records.get(id);
    if (id && !known) return refused(404, 81_044, 'Record does not exist.');
    const asked = String(body.name);
    const isInside = asked === this.zoneName || asked.endsWith(`.${this.zoneName}`);
    if (!id && [...this.records.values()].some(({ name }) => name === asked))
      return refused(400, 81_053, 'An A, AAAA, or CNAME record with that host already exists.');
    const record: DnsRecord = {
      ...(body as unknown as DnsRecord),
      id: known?.id ?? randomUUID().replaceAll('-', ''),
      name: isInside ? asked : `${asked}.${this.zoneName}`,
      created_on: known?.created_on ?? new Date().toISOString(),
    };
    this.records.set(record.id, record);
    return ok(record);
  }

  private page(all: readonly unknown[], query: URLSearchParams): ResponseBody {
    const per_page = Math.min(Number(query.get('per_page') ?? 20), this.mostOnPage);
    const page = Number(query.get('page') ?? 1);
    const result = all.slice((page - 1) * per_page, page * per_page);
    const result_info = { page, per_page, count: result.length, total_count: all.length };
    return { body: { success: true, errors: [], messages: [], result, result_info } };
  }
}

/** Starts it before a file's tests; before each test it is as new. */
export function useCloudflare(): Cloudflare {
  const cloudflare = new Cloudflare();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://localhost');
    const call = { method: request.method ?? '', path: pathname, query, body: await bodyOf(request) };
    const { status = 200, headers = {}, body } = cloudflare.response(call);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cloudflare.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    const asNew = { script: () => undefined, zoneName: 'example.com', zone: activeZone(), mostOnPage: 1_000 };
    Object.assign(cloudflare, asNew);
    cloudflare.tunnels.clear();
    cloudflare.records.clear();
    cloudflare.calls.length = 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return cloudflare;
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? {} : JSON.parse(text);
}
