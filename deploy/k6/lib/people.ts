import { fail } from 'k6';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import http from 'k6/http';
import { answered } from './checks.ts';
import type { Client, Person } from './client.ts';

interface People {
  readonly users: readonly Person[];
  readonly admins: readonly Person[];
}

/** Who signs in; `K6_PEOPLE` is a file `{users, admins}`, which `npm run load` writes. */
const file = __ENV.K6_PEOPLE || './people.json';
const read = (): People => JSON.parse(open(file));
const users = new SharedArray('users', () => [...read().users]);
const admins = new SharedArray('admins', () => [...read().admins]);

/** Whether this virtual user has a session already; its jar is kept from journey to journey. */
let signedIn = false;

/** Signs in once per virtual user, as a browser stays signed in. */
export function beSignedIn(client: Client, as: 'user' | 'admin' = 'user'): void {
  if (signedIn) return;
  signIn(client, as);
  signedIn = true;
}

/** Signs in with a new session. Aborts the journey when that fails. */
export function signIn(client: Client, as: 'user' | 'admin' = 'user'): void {
  http.cookieJar().clear(client.base);
  const all = as === 'admin' ? admins : users;
  const person = all[exec.vu.idInTest % all.length];
  if (!person) fail(`nobody to sign in as ${as}`);
  const { username, password } = person;
  if (!answered(client.send('POST /api/login', { username, password }), 200, 'sign in'))
    fail('signing in failed');
}
