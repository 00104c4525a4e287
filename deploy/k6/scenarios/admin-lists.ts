import { sleep } from 'k6';
import { checkStatus } from '../lib/checks.ts';
import { beSignedIn } from '../lib/people.ts';
import type { Journey } from './journey.ts';

/** An administrator looks through users and proxies: first pages, another order, a search. */
export const adminListsJourney: Journey = {
  height: 3,
  calls: ['GET /api/admin/users', 'GET /api/admin/tunnel-configs'],
  run: (client, { admins }) => {
    beSignedIn(client, admins);
    checkStatus(client.send('GET /api/admin/users', { limit: 25 }), 200, 'users');
    checkStatus(client.send('GET /api/admin/users', { limit: 25, sort: 'username' }), 200, 'users by name');
    checkStatus(client.send('GET /api/admin/tunnel-configs', { limit: 25 }), 200, 'proxies');
    checkStatus(client.send('GET /api/admin/tunnel-configs', { limit: 25, q: 'server 1' }), 200, 'search');
    sleep(1);
  },
};
