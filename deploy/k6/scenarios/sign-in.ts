import { checkStatus } from '../lib/checks.ts';
import { signIn } from '../lib/people.ts';
import type { Journey } from './journey.ts';

/** Signs in, is shown who one is, signs out. */
export const signInJourney: Journey = {
  height: 2,
  calls: ['POST /api/login', 'GET /api/user'],
  run: (client, { users }) => {
    signIn(client, users);
    checkStatus(client.send('GET /api/user', {}), 200, 'who am I');
    checkStatus(client.send('POST /api/logout', {}), 204, 'sign out');
  },
};
