import { sleep } from 'k6';
import http from 'k6/http';
import { checkStatus } from '../lib/checks.ts';
import { beSignedIn } from '../lib/people.ts';
import type { Journey } from './journey.ts';

const pings = 2;
const secondsBetween = 1;

/** Opens the dashboard and stays on it: its queries at once, then the ping. */
export const dashboardJourney: Journey = {
  height: 20,
  calls: ['GET /api/user', 'GET /api/system/stats', 'GET /api/user/subscription/can-create-proxy'],
  run: (client, { users }) => {
    beSignedIn(client, users);
    checkStatus(client.send('GET /api/user', {}), 200, 'who am I');
    checkStatus(client.send('GET /api/system/stats', {}), 200, 'totals');
    checkStatus(client.send('GET /api/user/subscription/can-create-proxy', {}), 200, 'may I create');
    checkStatus(client.send('GET /api/user/preferences', {}), 200, 'preferences');
    checkStatus(client.send('GET /api/user/notifications/unread-count', {}), 200, 'the bell');
    for (let ping = 0; ping < pings; ping += 1) {
      const path = `/api/user?nocache=${Date.now()}`;
      const response = http.get(client.base + path, { tags: { name: 'ping' } });
      checkStatus(response, 200, 'ping');
      sleep(secondsBetween);
    }
  },
};
