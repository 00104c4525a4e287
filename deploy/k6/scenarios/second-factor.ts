import { fail } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';
import { checkStatus } from '../lib/checks.ts';
import { answerOf } from '../lib/client.ts';
import { codeNow } from '../lib/totp.ts';
import type { Journey } from './journey.ts';

const run = Date.now().toString(36);

/**
 * Sets up an app, signs in with the second factor, goes. Each journey has an account of its own: a code counts once, so that
 * two who share one would refuse each other.
 */
export const secondFactorJourney: Journey = {
  height: 1,
  calls: ['POST /api/login', 'POST /api/login/second-factor', 'GET /api/user'],
  run: (client) => {
    const username = `k6-2f-${run}-${exec.vu.idInTest}-${exec.vu.iterationInInstance}`;
    const password = `k6-${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;
    http.cookieJar().clear(client.base);
    if (!checkStatus(client.send('POST /api/register', { username, password }), 201, 'register'))
      fail('nobody can register: does REGISTER_LIMIT_PER_MINUTE allow it?');
    const started = client.send('POST /api/user/authenticator', {});
    const { secret } = answerOf('POST /api/user/authenticator', started);
    const confirmed = client.send('POST /api/user/authenticator/confirmation', { code: codeNow(secret) });
    checkStatus(confirmed, 200, 'set up an app');
    const { recoveryCodes } = answerOf('POST /api/user/authenticator/confirmation', confirmed);
    checkStatus(client.send('POST /api/logout', {}), 204, 'sign out');
    http.setResponseCallback(http.expectedStatuses({ min: 200, max: 399 }, 401));
    const asked = client.send('POST /api/login', { username, password });
    http.setResponseCallback(http.expectedStatuses({ min: 200, max: 399 }));
    checkStatus(asked, 401, 'give the password');
    const challenge = String(asked.json('challenge'));
    // The app's code of now was used to set it up.
    const code = recoveryCodes[0] ?? '';
    checkStatus(client.send('POST /api/login/second-factor', { challenge, code }), 200, 'give the code');
    checkStatus(client.send('GET /api/user', {}), 200, 'who am I');
    checkStatus(client.send('POST /api/user/deletion', { password }), 204, 'go');
  },
};
