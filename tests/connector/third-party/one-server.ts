import { openPolicy } from '@talpa/contracts';
import {
  installMs,
  NotInstalled,
  type RunningProgram,
  startProgram,
} from '@talpa/test-kit/strangers/program';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jupyterLab, nodeRed } from './programs.ts';
import { browser, newProxy } from './proxies.ts';

const patienceMs = 90_000;
describe('JupyterLab and Node-RED on one server behind cloudflared', () => {
  let running: readonly [RunningProgram, RunningProgram] | undefined;
  let missing = '';
  beforeAll(async () => {
    try {
      running = [await startProgram(jupyterLab), await startProgram(nodeRed)];
    } catch (error) {
      if (!(error instanceof NotInstalled)) throw error;
      missing = error.message;
    }
  }, installMs);
  afterAll(() => Promise.all((running ?? []).map((one) => one.stop())));
  beforeEach((context) => {
    if (missing) context.skip(missing);
  });

  it('work side by side, and what happens to one is not felt by the other', async () => {
    if (!running) throw new Error(missing);
    const [lab, flows] = running;
    const first = await newProxy(lab.relayPort, openPolicy);
    const second = await first.join(flows.relayPort);
    const pages = [];
    for (const { url } of [first, second]) {
      const { page } = await browser.open(url);
      page.setDefaultTimeout(patienceMs);
      await page.goto(url);
      pages.push(page);
    }
    const [notebook, editor] = pages as [(typeof pages)[0], (typeof pages)[0]];
    await Promise.all([jupyterLab.use(notebook, lab), nodeRed.use(editor, flows)]);
    const kernels = lab.webSockets();
    expect([kernels > 0, flows.webSockets()]).toEqual([true, 1]);

    // One is paused, changed and resumed: its own WebSocket ends, the kernel of the other stays connected and goes on.
    const { client } = first;
    await client.call('PUT /api/tunnel-configs/:id/pause', { id: second.id, message: 'Kaffee' });
    await until('the end of the editor’s WebSocket', () => flows.webSockets() === 0);
    await client.call('PUT /api/tunnel-configs/:id', {
      id: second.id,
      ...second.input,
      serverIP: '127.0.0.2',
    });
    await client.call('PUT /api/tunnel-configs/:id', { id: second.id, ...second.input });
    expect(lab.webSockets()).toBe(kernels);
    await notebook.locator('.jp-Cell .cm-content').first().click();
    await notebook.keyboard.press('Control+a');
    await notebook.keyboard.type('print(2 ** 40 + 1)');
    await notebook.keyboard.press('Shift+Enter');
    await notebook.locator('.jp-OutputArea-output', { hasText: '1099511627777' }).waitFor();
    await client.call('DELETE /api/tunnel-configs/:id/pause', { id: second.id });
    await until('the editor', async () => (await editor.goto(second.url))?.status() === 200);
    await nodeRed.use(editor, flows);

    // Each has seen its own requests alone.
    expect(lab.seen().filter(({ url }) => url.startsWith('/red/') || url.startsWith('/comms'))).toEqual([]);
    expect(flows.seen().filter(({ url }) => url.startsWith('/lab') || url.startsWith('/api/'))).toEqual([]);
    const servers = await client.call('GET /api/servers', {});
    expect(servers.map(({ proxyIds }) => proxyIds)).toEqual([[first.id, second.id]]);
  });
});
