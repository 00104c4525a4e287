import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const clientSecret = 'das-geheimnis-von-talpa';

/** Whether a request names the client and its secret, either way. */
function isClients(form: URLSearchParams, { headers }: IncomingMessage): boolean {
  const [, basic = ''] = headers.authorization?.split('Basic ') ?? [];
  // Both parts are form-encoded (RFC 6749, section 2.3.1).
  const shown = decodeURIComponent(Buffer.from(basic, 'base64').toString());
  return shown === `talpa:${clientSecret}` || form.get('client_secret') === clientSecret;
}

interface Code {
  readonly challenge: string;
  readonly nonce: string | null;
}

/** What both of these remember of the authorization requests, and how they redeem codes: once, for the client, with PKCE. */
function createCodes() {
  const codes = new Map<string, Code>();
  return {
    /** What a browser comes back with that was sent to this address. */
    issue: (address: string) => {
      const { searchParams } = new URL(address);
      const code = randomUUID();
      const challenge = searchParams.get('code_challenge') ?? '';
      codes.set(code, { challenge, nonce: searchParams.get('nonce') });
      return { state: searchParams.get('state') ?? '', code };
    },
    redeem: (form: URLSearchParams, request: IncomingMessage): Code | null => {
      const code = form.get('code') ?? '';
      const known = codes.get(code);
      codes.delete(code);
      const verifier = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      return known?.challenge === verifier && isClients(form, request) ? known : null;
    },
  };
}

async function listen(respond: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const json = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return new URLSearchParams(text);
}

/** What Discord says of somebody. */
export interface DiscordAccount {
  readonly id: string;
  readonly username: string;
  readonly email?: string;
  readonly verified?: boolean;
}

/** A server that speaks OAuth 2 as Discord does. */
export async function startDiscord() {
  const codes = createCodes();
  const accounts = new Map<string, DiscordAccount>();
  const tokens = new Map<string, DiscordAccount>();
  let status = 200;
  const server = await listen(async (request, response) => {
    if (request.url === '/api/oauth2/token') {
      const form = await formOf(request);
      const account = accounts.get(form.get('code') ?? '');
      if (!codes.redeem(form, request) || !account) return json(response, 400, { error: 'invalid_grant' });
      const token = randomUUID();
      tokens.set(token, account);
      return json(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 600 });
    }
    const account = tokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
    return account ? json(response, status, account) : json(response, 401, { message: '401: Unauthorized' });
  });
  return {
    settings: {
      ...{ id: 'discord', kind: 'discord', label: 'Discord', issuer: server.origin },
      ...{ clientId: 'talpa', clientSecret },
    },
    signIn: async (address: string, account: DiscordAccount) => {
      const answer = codes.issue(address);
      accounts.set(answer.code, account);
      return answer;
    },
    /** From now on, to the question who has signed in. */
    answerWith: (next: number) => {
      status = next;
    },
    stop: server.stop,
  };
}

/** How an ID token differs from an honest one. */
interface Deviation {
  readonly iss?: string;
  readonly aud?: string;
  readonly nonce?: string;
  /** When it ends, in seconds from now. */
  readonly endsIn?: number;
  /** Signed with a key that the provider does not publish. */
  readonly foreignKey?: boolean;
  /** What it says beside that. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** What the provider says when it is asked for more. */
  readonly userInfo?: Readonly<Record<string, unknown>>;
}

/** What such a provider does in place of an answer. */
type Trouble = 'none' | 'hangs' | 'errors' | 'floods' | 'redirects';

const newKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;

/**
 * A provider that says what a test wants: no honest one would.
 * @param methods how it wants to be shown the client's secret; undefined: it does not say
 * @param hasUserInfo whether it can be asked for more than the ID token says
 */
export async function startLyingProvider(methods?: readonly string[], hasUserInfo = true) {
  const codes = createCodes();
  const deviations = new Map<string, Deviation & { readonly subject: string }>();
  const tokens = new Map<string, Deviation & { readonly subject: string }>();
  const foreign = newKey();
  let key = newKey();
  let kid = randomUUID();
  let trouble: Trouble = 'none';
  let discoveries = 0;
  const shown: ('basic' | 'post')[] = [];
  const idToken = (nonce: string | null, { subject, ...deviation }: Deviation & { subject: string }) => {
    const now = Math.floor(Date.now() / 1_000);
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${part({ alg: 'RS256', kid })}.${part({
      ...{ iss: deviation.iss ?? server.origin, aud: deviation.aud ?? 'talpa', sub: subject },
      ...{ nonce: deviation.nonce ?? nonce, iat: now, exp: now + (deviation.endsIn ?? 300) },
      ...{ preferred_username: subject, ...deviation.claims },
    })}`;
    const signature = sign('sha256', Buffer.from(text), deviation.foreignKey ? foreign : key);
    return `${text}.${signature.toString('base64url')}`;
  };
  const server = await listen(async (request, response) => {
    if (trouble === 'hangs') return;
    if (trouble === 'errors') return json(response, 500, {});
    // A client that follows it, with all that was sent, gets an honest answer.
    const [path = '', query] = (request.url ?? '').split('?');
    if (trouble === 'redirects' && query === undefined)
      return response.writeHead(307, { location: `${path}?moved` }).end();
    if (trouble === 'floods') return json(response, 200, { padding: 'x'.repeat(1_000_000) });
    if (path === '/.well-known/openid-configuration') {
      discoveries += 1;
      const at = (path: string) => `${server.origin}/${path}`;
      return json(response, 200, {
        ...{ issuer: server.origin, authorization_endpoint: at('auth'), token_endpoint: at('token') },
        ...{ jwks_uri: at('keys'), response_types_supported: ['code'], subject_types_supported: ['public'] },
        id_token_signing_alg_values_supported: ['RS256'],
        token_endpoint_auth_methods_supported: methods,
        ...(hasUserInfo ? { userinfo_endpoint: at('userinfo') } : {}),
      });
    }
    if (path === '/userinfo') {
      const about = tokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
      return about ? json(response, 200, { sub: about.subject, ...about.userInfo }) : json(response, 401, {});
    }
    if (path === '/keys') {
      const { kty, n, e } = key.export({ format: 'jwk' });
      return json(response, 200, { keys: [{ kty, n, e, kid, use: 'sig', alg: 'RS256' }] });
    }
    const form = await formOf(request);
    shown.push(form.has('client_secret') ? 'post' : 'basic');
    const known = codes.redeem(form, request);
    const deviation = deviations.get(form.get('code') ?? '');
    if (!known || !deviation)
      return json(response, 400, { error: isClients(form, request) ? 'invalid_grant' : 'invalid_client' });
    const token = randomUUID();
    tokens.set(token, deviation);
    return json(response, 200, {
      ...{ access_token: token, token_type: 'Bearer', expires_in: 600 },
      id_token: idToken(known.nonce, deviation),
    });
  });
  return {
    settings: {
      ...{ id: 'lying', label: 'Lügner', issuer: server.origin },
      ...{ clientId: 'talpa', clientSecret },
    },
    signIn: async (address: string, subject: string, deviation: Deviation = {}) => {
      const answer = codes.issue(address);
      deviations.set(answer.code, { ...deviation, subject });
      return answer;
    },
    /** From now on. */
    behave: (next: Trouble) => {
      trouble = next;
    },
    rotateKeys: () => {
      key = newKey();
      kid = randomUUID();
    },
    /** How often it was asked for its addresses. */
    discoveries: () => discoveries,
    /** How it was shown the client's secret, each time a code was redeemed. */
    shown,
    stop: server.stop,
  };
}
