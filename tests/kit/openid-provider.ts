import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** What a provider sends a browser back with. */
export interface ProviderAnswer {
  readonly state: string;
  readonly code?: string;
  readonly iss?: string;
  readonly error?: string;
}

/** A real OpenID provider on this machine. Entering an account's name is enough to be signed in as it. */
export interface OpenIdProvider {
  readonly issuer: string;
  /** For SIGN_IN_PROVIDERS. */
  readonly settings: { readonly id: string; readonly label: string } & Readonly<Record<string, unknown>>;
  /** What an account is said to be, beside its name; shared by all who sign in as it. */
  claims(account: string, claims: Readonly<Record<string, unknown>>): void;
  stop(): Promise<void>;
}

export const accountField = 'account';
const clientSecret = 'das-geheimnis-von-talpa';

/** @param id how SIGN_IN_PROVIDERS calls it */
export async function startOpenIdProvider(id = 'openid', label = 'Beispiel-Konto'): Promise<OpenIdProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A panel that all files of a worker share has it as long as the worker lives.
  server.unref();
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const said = new Map<string, Readonly<Record<string, unknown>>>();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'talpa', client_secret: clientSecret, redirect_uris: ['http://127.0.0.1/'] }],
    pkce: { required: () => true },
    claims: { profile: ['preferred_username'], email: ['email', 'email_verified'] },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, preferred_username: accountId, ...said.get(accountId) }),
    }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['test'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
  });
  // The panel's port is not known yet.
  provider.Client.prototype.redirectUriAllowed = (uri) => new URL(uri).pathname === `/sign-in/${id}`;
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next();
    const details = await provider.interactionDetails(context.req, context.res);
    const account = context.URL.searchParams.get(accountField);
    if (account === null) {
      context.type = 'html';
      context.body = `<!doctype html><title>Anmelden</title><form><input name="${accountField}" aria-label="Name"><button>Weiter</button></form>`;
      return;
    }
    const grant = new provider.Grant({ accountId: account, clientId: String(details.params.client_id) });
    grant.addOIDCScope(String(details.params.scope));
    const consent = { grantId: await grant.save() };
    const result = account === '' ? { error: 'access_denied' } : { login: { accountId: account }, consent };
    context.respond = false;
    await provider.interactionFinished(context.req, context.res, result);
  });
  server.on('request', provider.callback());
  return {
    issuer,
    settings: { id, label, issuer, clientId: 'talpa', clientSecret },
    claims: (account, claims) => void said.set(account, claims),
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Signs in at the provider as an account, as a browser would that is sent to this address; as nobody, it is canceled there.
 * @returns what the browser comes back with
 */
export async function signInAt(address: string, account: string): Promise<ProviderAnswer> {
  const { origin } = new URL(address);
  const cookies = new Map<string, string>();
  let at = new URL(address);
  for (let hop = 0; hop < 8; hop += 1) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    await response.body?.cancel();
    if (location === null) {
      if (!response.ok) throw new Error(`the provider has answered ${response.status} at ${at.pathname}`);
      at.searchParams.set(accountField, account);
    } else at = new URL(location, at);
    if (at.origin !== origin) return answerIn(at);
  }
  throw new Error('the provider sends the browser around in a circle');
}

/** What an address says to which a provider has sent a browser back. */
export const answerIn = ({ searchParams }: URL): ProviderAnswer => {
  const { state = '', ...rest } = Object.fromEntries(searchParams);
  const { code, iss, error } = rest;
  return { state, ...(code ? { code } : {}), ...(iss ? { iss } : {}), ...(error ? { error } : {}) };
};
