import { sleep } from 'k6';
import http, { type Response } from 'k6/http';
import { checkStatus } from '../lib/checks.ts';
import type { Journey } from './journey.ts';

/** The edge's port for visitors, and the public name of a proxy with a connector (`npm run load` makes one). */
const edge = __ENV.EDGE_URL || '';
const host = __ENV.PROXY_HOST || '';
const polls = 6;

const params = (name: string) => ({ headers: { host }, tags: { name } });

/**
 * A visitor of a game server's admin panel behind a tunnel: the page with its files, then its live console,
 * which asks again and again (txAdmin's socket.io polls and never upgrades), and a command.
 */
export const panelJourney: Journey = {
  // Some eight hundred requests a minute, what an open live console makes.
  height: 1.2,
  calls: [],
  run: () => {
    if (!edge || !host) throw new Error('EDGE_URL and PROXY_HOST name the proxy to visit');
    checkStatus(http.get(`${edge}/`, params('panel: page')), 200, 'page');
    const files = http.batch([
      ['GET', `${edge}/assets/app.js`, null, params('panel: file')],
      ['GET', `${edge}/assets/app.css`, null, params('panel: file')],
    ]) as Response[];
    for (const file of files) checkStatus(file, 200, 'file');
    const socket = `${edge}/socket.io/?EIO=4&transport=polling`;
    for (let poll = 0; poll < polls; poll += 1) {
      checkStatus(http.get(`${socket}&t=${Date.now()}`, params('panel: poll')), 200, 'poll');
      sleep(0.2);
    }
    const command = http.post(`${edge}/fxserver/commands`, JSON.stringify({ action: 'status' }), {
      ...params('panel: command'),
      headers: { host, 'content-type': 'application/json', 'x-txadmin-csrftoken': 'load' },
    });
    checkStatus(command, 200, 'command');
  },
};
