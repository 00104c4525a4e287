import { fail } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';
import { checkStatus } from './checks.ts';
import type { Client, Person } from './client.ts';

/** Who signs in. */
export interface People {
  readonly users: readonly Person[];
  readonly admins: readonly Person[];
}

const { K6_PEOPLE: file, K6_ADMIN: admin, K6_ADMIN_PASSWORD: adminPassword } = __ENV;
/** Those of a file `{users, admins}`, which `npm run load` writes; without it a run makes its own. */
const given: People | null = file ? JSON.parse(open(file)) : null;
const count = 8;
const proxiesEach = 2;

/** Before a run: people with a plan and proxies, and the administrator that K6_ADMIN_PASSWORD lets in. */
export function findPeople(client: Client): People {
  if (given) return given;
  const run = Date.now().toString(36);
  const users = Array.from({ length: count }, (_, at) => settle(client, `k6-${run}-${at}`));
  const admins = adminPassword ? [{ username: admin || 'admin', password: adminPassword }] : [];
  return { users, admins };
}

function settle(client: Client, username: string): Person {
  const password = `k6-${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;
  http.cookieJar().clear(client.base);
  if (!checkStatus(client.send('POST /api/register', { username, password }), 201, 'register'))
    fail('nobody can register: does REGISTER_LIMIT_PER_MINUTE allow it?');
  checkStatus(client.send('POST /api/user/subscription', { planId: 'enterprise' }), 200, 'take a plan');
  for (let at = 0; at < proxiesEach; at += 1) {
    const proxy = {
      serverName: `${username} ${at}`,
      serverIP: '127.0.0.1',
      adminPort: 40_120,
      customUrl: null,
    };
    checkStatus(client.send('POST /api/tunnel-configs', proxy), 201, 'settle');
  }
  return { username, password };
}

/** After a run: those it made go, with all that is theirs. */
export function removePeople(client: Client, people: People): void {
  if (given) return;
  for (const { username, password } of people.users) {
    http.cookieJar().clear(client.base);
    client.send('POST /api/login', { username, password });
    checkStatus(client.send('POST /api/user/deletion', { password }), 204, 'go');
  }
}

/** Whether this virtual user has a session already; its jar is kept from journey to journey. */
let signedIn = false;

/** Signs in once per virtual user, as a browser stays signed in. */
export function beSignedIn(client: Client, people: readonly Person[]): void {
  if (signedIn) return;
  signIn(client, people);
  signedIn = true;
}

/** Signs in with a new session. Aborts the journey when that fails. */
export function signIn(client: Client, people: readonly Person[]): void {
  http.cookieJar().clear(client.base);
  const person = people[exec.vu.idInTest % people.length];
  if (!person) fail('nobody to sign in as: administrators need K6_PEOPLE or K6_ADMIN_PASSWORD');
  const { username, password } = person;
  if (!checkStatus(client.send('POST /api/login', { username, password }), 200, 'sign in'))
    fail('signing in failed');
}
