import { sleep } from 'k6';
import { checkStatus } from '../lib/checks.ts';
import { answerOf, type Client, createClient } from '../lib/client.ts';
import { beSignedIn } from '../lib/people.ts';
import type { Journey } from './journey.ts';

/** The script of this virtual user, and a proxy of its owner. */
let script: { readonly client: Client; readonly proxyId: number } | null = null;

/** What a script does with its key: lists the proxies, reads one and its token. The key is created once per virtual user. */
export const apiKeyJourney: Journey = {
  height: 5,
  calls: [
    'GET /api/tunnel-configs',
    'GET /api/tunnel-configs/:id',
    'GET /api/tunnel-configs/:id/tunnel-token',
  ],
  run: (owner, { users }) => {
    beSignedIn(owner, users);
    script ??= createScript(owner);
    if (!script) return;
    const { client, proxyId: id } = script;
    checkStatus(client.send('GET /api/tunnel-configs', {}), 200, 'list with a key');
    checkStatus(client.send('GET /api/tunnel-configs/:id', { id }), 200, 'proxy with a key');
    checkStatus(client.send('GET /api/tunnel-configs/:id/tunnel-token', { id }), 200, 'token with a key');
    sleep(1);
  },
};

function createScript(owner: Client) {
  const created = owner.send('POST /api/user/api-keys', {
    name: 'k6',
    scopes: ['proxies:read', 'tunnel-token:read'],
    days: 1,
  });
  if (!checkStatus(created, 201, 'create a key')) return null;
  const client = createClient(owner.base, answerOf('POST /api/user/api-keys', created).key);
  const [proxy] = answerOf('GET /api/tunnel-configs', client.send('GET /api/tunnel-configs', {}));
  return proxy ? { client, proxyId: proxy.id } : null;
}
