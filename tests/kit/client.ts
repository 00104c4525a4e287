import { randomUUID } from 'node:crypto';
import {
  type ErrorBody,
  eventStream,
  type RequestOf,
  type ResponseOf,
  type RouteName,
  type Routes,
  type Scope,
} from '@talpa/contracts';

export interface ResponseBody<T> {
  readonly status: number;
  readonly headers: Headers;
  /** The body as JSON; null for an empty one. */
  readonly body: T;
}

/** A browser's worth of HTTP: it keeps the session's cookie and sends the panel's Origin. With an API key it is a script. */
export class Client {
  readonly base: string;
  cookie = '';
  apiKey: string | null = null;
  /** By what the browser is known again: kept only from calls that set nothing else. */
  device = '';
  language = 'de';

  constructor(base: string) {
    this.base = base;
  }

  /** Sends a request as it is; nothing is checked. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ResponseBody<unknown>> {
    const response = await fetch(this.base + path, {
      method,
      headers: {
        ...(this.apiKey === null ? { origin: this.base } : { authorization: `Bearer ${this.apiKey}` }),
        'accept-language': this.language,
        ...(this.cookie || this.device ? { cookie: `${this.cookie}; ${this.device}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const [cookie] = response.headers.getSetCookie();
    const [pair = ''] = cookie?.split(';') ?? [];
    if (/talpa_device=/.test(pair)) this.device = pair;
    else if (cookie) this.cookie = pair;
    // A stream has no end: that it was opened is all there is to see here.
    const isStream = response.headers.get('content-type')?.startsWith(eventStream) ?? false;
    if (isStream) await response.body?.cancel();
    const text = isStream ? '' : await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? true;
    const value = isJson ? JSON.parse(text || 'null') : text;
    return { status: response.status, headers: response.headers, body: text ? value : null };
  }

  /** Calls a route of the contract with its input, whatever comes back. */
  async try<N extends RouteName>(
    route: N,
    input: RequestOf<Routes[N]>,
  ): Promise<ResponseBody<ResponseOf<Routes[N]> | ErrorBody>> {
    const [method = '', template = ''] = route.split(' ');
    const rest = { ...(input as Record<string, unknown>) };
    const path = template.replace(/:(\w+)/g, (_, name: string) => {
      const value = rest[name];
      delete rest[name];
      return encodeURIComponent(String(value));
    });
    const hasBody = method === 'POST' || method === 'PUT';
    const query = hasBody ? '' : new URLSearchParams(rest as Record<string, string>).toString();
    const response = await this.send(method, query ? `${path}?${query}` : path, hasBody ? rest : undefined);
    return response as ResponseBody<ResponseOf<Routes[N]> | ErrorBody>;
  }

  /** Calls a route that must succeed. */
  async call<N extends RouteName>(route: N, input: RequestOf<Routes[N]>): Promise<ResponseOf<Routes[N]>> {
    const response = await this.try(route, input);
    if (response.status >= 300)
      throw new Error(`${route} returned ${response.status}: ${JSON.stringify(response.body)}`);
    return response.body as ResponseOf<Routes[N]>;
  }

  /** Calls a route that must fail. */
  async fail<N extends RouteName>(
    route: N,
    input: RequestOf<Routes[N]>,
  ): Promise<{ status: number; error: ErrorBody; headers: Headers }> {
    const response = await this.try(route, input);
    if (response.status < 400)
      throw new Error(`${route} returned ${response.status}: ${JSON.stringify(response.body)}`);
    return { status: response.status, error: response.body as ErrorBody, headers: response.headers };
  }
}

export const testPassword = 'geheim-123';

/** A new user of their own, signed in; with a plan if one is named. */
export async function newUser(
  base: string,
  plan?: 'free' | 'basic' | 'premium' | 'enterprise',
  username = `u${randomUUID().slice(0, 12)}`,
) {
  const client = new Client(base);
  const user = await client.call('POST /api/register', { username, password: testPassword });
  if (plan) await client.call('POST /api/user/subscription', { planId: plan });
  return { client, user };
}

/** A script with a new API key of this user’s. */
export async function withApiKey(
  owner: Client,
  scopes: readonly Scope[],
  more: Partial<RequestOf<Routes['POST /api/user/api-keys']>> = {},
): Promise<Client> {
  const input = { name: 'Skript', scopes: [...scopes], days: 90, ...more };
  const script = new Client(owner.base);
  script.apiKey = (await owner.call('POST /api/user/api-keys', input)).key;
  return script;
}

/** What a proxy is made from in tests; its name is its own each time. */
export function proxyInput(name = `S ${randomUUID().slice(0, 13)}`) {
  return { serverName: name, serverIP: '127.0.0.1', adminPort: 40_120, customUrl: null };
}
