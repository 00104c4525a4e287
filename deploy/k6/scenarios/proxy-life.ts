import { sleep } from 'k6';
import exec from 'k6/execution';
import { checkStatus } from '../lib/checks.ts';
import { answerOf } from '../lib/client.ts';
import { beSignedIn } from '../lib/people.ts';
import type { Journey } from './journey.ts';

/** Creates a proxy, finds it in the list, reads its token, deletes it. */
export const proxyLifeJourney: Journey = {
  height: 2,
  calls: ['POST /api/tunnel-configs', 'GET /api/tunnel-configs', 'DELETE /api/tunnel-configs/:id'],
  run: (client, { users }) => {
    beSignedIn(client, users);
    const serverName = `k6 ${exec.vu.idInTest} ${exec.vu.iterationInScenario} ${Date.now().toString(36)}`;
    const created = client.send('POST /api/tunnel-configs', {
      serverName,
      serverIP: '127.0.0.1',
      adminPort: 40_120,
      customUrl: null,
    });
    if (!checkStatus(created, 201, 'create')) return;
    const { proxy } = answerOf('POST /api/tunnel-configs', created);
    checkStatus(client.send('GET /api/tunnel-configs', {}), 200, 'list');
    checkStatus(client.send('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id }), 200, 'token');
    sleep(0.5);
    checkStatus(client.send('DELETE /api/tunnel-configs/:id', { id: proxy.id }), 204, 'delete');
  },
};
