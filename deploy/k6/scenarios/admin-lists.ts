import { sleep } from 'k6';
import { answered } from '../lib/checks.ts';
import { beSignedIn } from '../lib/people.ts';
import type { Journey } from './journey.ts';

/** An administrator looks through users and proxies: first pages, another order, a search. */
export const adminListsJourney: Journey = {
  height: 3,
  calls: ['GET /api/admin/users', 'GET /api/admin/tunnel-configs'],
  run: (client, { admins }) => {
    beSignedIn(client, admins);
    answered(client.send('GET /api/admin/users', { limit: 25 }), 200, 'users');
    answered(client.send('GET /api/admin/users', { limit: 25, sort: 'username' }), 200, 'users by name');
    answered(client.send('GET /api/admin/tunnel-configs', { limit: 25 }), 200, 'proxies');
    answered(client.send('GET /api/admin/tunnel-configs', { limit: 25, q: 'server 1' }), 200, 'search');
    sleep(1);
  },
};
