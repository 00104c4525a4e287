import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLog } from '@talpa/service-kit/log';
import { createPasswords } from '@talpa/service-kit/passwords';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createTraffic } from '../../services/edge/traffic/traffic.ts';
import { createRoutes, type Routes } from '../../services/edge/visitors/routes.ts';
import { startVisitorSide, type VisitorSide } from '../../services/edge/visitors/start.ts';
import { createPassing } from '../../services/edge/visitors/wall/passing.ts';
import { createServiceTokens } from '../../services/edge/visitors/wall/service-tokens.ts';
import { createVisits } from '../../services/edge/visitors/wall/visits.ts';
import { createWall } from '../../services/edge/visitors/wall/wall.ts';
import { makeAccessCode } from '../../services/proxies/access/prepare-code.ts';
import { type TestProvider, useProvider } from './embedded-provider.ts';
import { ask, type RawAsk, type RawResponse } from './raw-http.ts';
import { useStores } from './stores.ts';
import { connectPair, proxyTo, type TestConnection } from './tunnel-connection.ts';
import { settingsOf } from './visitor-side.ts';

export const panelUrl = 'https://panel.example.test';
/** Of every wall. */
export const pin = '493817';

export type WallPolicy = { methods: string[]; require?: 'any' | 'all'; rules?: object[]; emails?: string[] };
const policyOf = ({ methods, require = 'any', rules = [], emails = [] }: WallPolicy) => ({
  ...{ kind: 'wall', methods, require, rules, emails, days: 7 },
});

/** Hashes what the database stores of a secret. */
const hashOf = (secret: string) => createHash('sha256').update(secret).digest();

/** The cookie that a response sets, as a browser sends it back. */
export const cookieOf = ({ headers }: RawResponse, name = 'talpa-access') =>
  headers['set-cookie']?.find((one) => one.startsWith(`${name}=`))?.split(';')[0] ?? '';

interface Parts {
  readonly provider: TestProvider;
  readonly routes: () => Routes;
  readonly side: () => VisitorSide;
  readonly pinHash: () => string;
}

let owners = 1_000;

/** A proxy with a wall and an owner of its own, and a visitor's hands at it. */
async function newProxyOf({ provider, routes, side, pinHash }: Parts, wall: WallPolicy) {
  const uuid = randomUUID();
  const host = `${uuid.slice(0, 8)}.tunnel.localhost`;
  const account = '/client/v4/accounts/account1/cfd_tunnel';
  const made = await provider.send('POST', account, { name: `talpa-x-${uuid}-g1`, config_src: 'cloudflare' });
  const { id } = made.body.result as { id: string };
  await provider.send('PUT', `${account}/${id}/configurations`, {
    config: { ingress: [{ service: 'http://127.0.0.1:1' }] },
  });
  await provider.lead(host, id, uuid);
  const setPolicy = async (policy: object) => {
    await provider.setPolicy(uuid, host, policy, { pin: pinHash(), password: pinHash() });
    routes().forget();
  };
  const set = (next: WallPolicy) => setPolicy(policyOf(next));
  await set(wall);
  const owner = ++owners;
  await provider.proxiesSql`update proxies set user_id = ${owner} where uuid = ${uuid}`;
  const visit = (more: Partial<RawAsk> = {}) => ask({ port: side().httpPort, host, ...more });
  const open = (path: string, headers = {}) => visit({ path, headers: { accept: 'text/html', ...headers } });
  /** Sends a form of the wall. */
  const post = (path: string, fields: Record<string, string>, more: Partial<RawAsk> = {}) =>
    visit({
      ...{ method: 'POST', ...more, path },
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...more.headers },
      body: new URLSearchParams(fields).toString(),
    });
  const tryPin = (secret: string, more: Partial<RawAsk> & { path?: string; back?: string } = {}) =>
    post(more.path ?? '/.talpa/access/pin', { secret, path: more.back ?? '/' }, more);
  /** Requests a code; gives the answer, and the cookie with which the code counts. */
  const requestCode = async (email: string, more: Partial<RawAsk> & { back?: string } = {}) => {
    const { back = '/', ...rest } = more;
    const answer = await post('/.talpa/access/email', { email, path: back }, rest);
    return { answer, cookie: cookieOf(answer, 'talpa-access-email') };
  };
  const enterCode = (code: string, cookie: string, more: Partial<RawAsk> = {}) =>
    post('/.talpa/access/email-code', { code }, { ...more, headers: { cookie, ...more.headers } });
  /**
   * Sends the emails that were ordered for this proxy's owner, the oldest first; null: there is none to be sent. The first attempt of
   * each fails, and must take nothing from the next.
   */
  const sendMails = async () => {
    const orders = await provider.proxiesSql<{ id: number; cause: string }[]>`
      delete from outbox where payload->'mail'->>'kind' = 'access_code' and payload->'userId' = to_jsonb(${owner}::integer)
      returning id, payload->>'id' as cause`;
    const sent = [];
    for (const { cause } of orders.toSorted((one, other) => one.id - other.id)) {
      await sendMail(cause);
      sent.push(await sendMail(cause));
    }
    return sent;
  };
  const sendMail = (cause: string) => makeAccessCode(provider.proxiesSql, cause);
  /** Passes with a code; gives the cookie. */
  const passedByEmail = async (email: string) => {
    const { cookie } = await requestCode(email);
    const [mail] = (await sendMails()).slice(-1);
    return cookieOf(await enterCode(mail?.code ?? '', cookie));
  };
  /** Passes with the PIN; gives the cookie. */
  const passed = async () => cookieOf(await tryPin(pin));
  const newToken = async (lasts: string | null = null) => {
    const token = `talpa_st_${randomBytes(32).toString('base64url')}`;
    await provider.proxiesSql`
      insert into service_tokens (proxy_uuid, name, token_hash, expires_at)
      values (${uuid}, 'Bot', ${hashOf(token)}, now() + ${lasts}::interval)`;
    return token;
  };
  /** Signs in at the panel in the browser that has got this state, as proxies stores it. */
  const signIn = async (
    method: 'owner' | 'member',
    {
      at = host,
      back = '/',
      spoiled = false,
      lasts = '30 seconds',
      cookiePath = undefined as string | undefined,
    } = {},
  ) => {
    const sent = await open(`/.talpa/access/sign-in?path=${encodeURIComponent(back)}`);
    const target = new URL(sent.headers.location ?? '');
    const state = target.searchParams.get('state') ?? '';
    const code = randomBytes(32).toString('base64url');
    await provider.proxiesSql`
      insert into access_codes (code_hash, proxy_uuid, host, state_hash, user_id, method, as_admin, expires_at)
      values (${hashOf(code)}, ${uuid}, ${at}, ${Buffer.from(state, 'base64url')}, 7, ${method}, false,
        now() + ${lasts}::interval)`;
    const given = spoiled ? `talpa-access-state=${'B'.repeat(43)}.` : cookieOf(sent, 'talpa-access-state');
    const stateCookie =
      cookiePath === undefined
        ? given
        : `${given.split('.')[0]}.${Buffer.from(cookiePath, 'latin1').toString('base64url')}`;
    const redeem = () => open(`/.talpa/access/return?code=${code}`, { cookie: stateCookie });
    const answer = await redeem();
    return { target, answer, redeem, cookie: cookieOf(answer) };
  };
  return {
    ...{ uuid, host, owner, set, setPolicy, visit, open, post, tryPin, passed, newToken, signIn },
    ...{ requestCode, enterCode, sendMails, sendMail, passedByEmail },
  };
}
export type WalledProxy = Awaited<ReturnType<typeof newProxyOf>>;

/** An edge's visitor side with the wall, on a database, before one origin. */
export function useWall() {
  const provider = useProvider(useStores());
  let side: VisitorSide;
  let routes: Routes;
  let pinHash = '';
  let connection: TestConnection;
  const answer: RequestListener = (_request, response) => void response.end('the panel behind');
  const test = {
    provider,
    /** What reached the origin. */
    seen: [] as IncomingMessage[],
    respond: answer,
    origin: createServer((request, response) => {
      test.seen.push(request);
      test.respond(request, response);
    }) as Server,
    get side() {
      return side;
    },
    /** Looks at what has changed of a host, as the edge does when it hears of it. */
    changed: (host: string) => {
      routes.forget(host);
      return side.recheck(new Set([host]));
    },
    newProxy: (wall: WallPolicy = { methods: ['pin'] }) =>
      newProxyOf({ provider, routes: () => routes, side: () => side, pinHash: () => pinHash }, wall),
  };
  beforeAll(async () => {
    test.origin.listen(0, '127.0.0.1');
    await once(test.origin, 'listening');
    connection = await connectPair(proxyTo((test.origin.address() as AddressInfo).port));
    const sql = provider.edgeSql;
    const passwords = await createPasswords(1);
    pinHash = await passwords.hash(pin);
    routes = createRoutes(sql);
    const wall = createWall({
      ...{ visits: createVisits(sql), tokens: createServiceTokens(sql) },
      ...{ passing: createPassing(sql, passwords), panelUrl },
    });
    const ports = {
      findRoute: routes.find,
      findRule: routes.findRule,
      isThere: routes.isThere,
      isKnown: routes.isKnown,
      pick: () => connection,
    };
    const settings = settingsOf({ EDGE_TRUST_PROXY: '127.0.0.9' });
    side = await startVisitorSide(settings, ports, wall, createTraffic(), createLog('edge', 'fatal'));
  });
  beforeEach(() => {
    test.seen = [];
    test.respond = answer;
  });
  afterAll(async () => {
    connection.edge.destroy();
    connection.socket.destroy();
    await side.stop();
    test.origin.closeAllConnections();
    test.origin.close();
  });
  return test;
}
