import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Place, Program } from '@talpa/test-kit/strangers/program';
import { until } from '@talpa/test-kit/wait';
import type { Page } from 'playwright-core';

/** A program that is tried open and behind the wall. */
export interface Stranger extends Program {
  /** What curl compares. */
  readonly paths: readonly string[];
  /** What curl sends with each. */
  readonly headers?: readonly string[];
  /** What of a body is another each time. */
  readonly varies?: RegExp;
  /** Uses it in Chromium. @throws Error where it does not work */
  readonly use: (page: Page, place: Place) => Promise<void>;
}

/** Without root, and without starting a service. */
const debian = (...packages: string[]) => `
mkdir -p debs/partial
apt-get install -y --reinstall --no-install-recommends --download-only -o Debug::NoLocking=1 -o APT::Sandbox::User=root \
  -o Dir::Cache::archives="$PWD/debs" ${packages.join(' ')}
for deb in debs/*.deb; do dpkg-deb -x "$deb" .; done
rm -r debs`;

export const nodeRedVersion = '5.0.7';
export const nodeRed: Stranger = {
  name: `node-red-${nodeRedVersion}`,
  install: `npm install --prefix . --ignore-scripts --no-audit --no-fund node-red@${nodeRedVersion}`,
  files: () => ({
    'settings.js': `module.exports = {
      uiHost: '127.0.0.1',
      // How often it sends something to each of its WebSockets.
      webSocketKeepAliveTime: 200,
      telemetry: { enabled: false, updateNotification: false },
      editorTheme: { tours: false, palette: { catalogues: [] } },
      externalModules: { palette: { allowInstall: false }, modules: { allowInstall: false } },
    };`,
  }),
  command: ({ folder, home, port }) => [
    ...[process.execPath, join(folder, 'node_modules/node-red/red.js'), '--port', String(port)],
    ...['--settings', join(home, 'settings.js'), '--userDir', home],
  ],
  readyAt: '/flows',
  paths: ['/', '/red/red.min.js', '/red/style.min.css', '/settings', '/vendor/vendor.js'],
  use: async (page) => {
    const { promise: alive, resolve } = Promise.withResolvers<unknown>();
    // The editor may open its first one just before it is loaded anew.
    page.on('websocket', (socket) => socket.once('framereceived', resolve));
    await page.reload();
    await page.locator('#red-ui-header-button-deploy').waitFor();
    await alive;
  },
};

export const jupyterLab: Stranger = {
  name: 'jupyterlab-4.6.6',
  install: 'python3 -m venv .\nbin/python -m pip install --quiet jupyterlab==4.6.6',
  files: () => ({
    'large.txt': 'Zeile\n'.repeat(200_000),
    'test.ipynb': JSON.stringify({
      cells: [{ cell_type: 'code', id: 'a1', source: 'print(6 * 7 * 1000003)', metadata: {}, outputs: [] }],
      metadata: { kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' } },
      ...{ nbformat: 4, nbformat_minor: 5 },
    }),
  }),
  command: ({ folder, home, port }) => [
    ...[
      join(folder, 'bin/python'),
      '-m',
      'jupyterlab',
      '--no-browser',
      '--allow-root',
      `--ServerApp.port=${port}`,
    ],
    ...['--ServerApp.ip=127.0.0.1', '--ServerApp.allow_remote_access=True', `--ServerApp.root_dir=${home}`],
    ...['--IdentityProvider.token=', '--ServerApp.disable_check_xsrf=True'],
  ],
  readyAt: '/api/status',
  paths: [
    '/files/large.txt',
    '/api/contents/large.txt',
    '/api/kernelspecs',
    '/lab/api/listings/@jupyterlab/extensionmanager-extension/listings.json',
    '/static/favicon.ico',
  ],
  use: async (page) => {
    // It shows an idle kernel before it has one, and loses what it is sent until then.
    const kernel = page.waitForEvent('websocket', (socket) => socket.url().includes('/api/kernels/'));
    await page.goto('/lab/tree/test.ipynb');
    await (await kernel).waitForEvent('framereceived');
    await page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').waitFor();
    await page.locator('.jp-Cell .cm-content').first().click();
    await page.keyboard.press('Shift+Enter');
    await page.locator('.jp-OutputArea-output', { hasText: '42000126' }).waitFor();
  },
};

const adminer: Stranger = {
  name: 'adminer-4.8.1',
  install: `${debian('adminer', ...['cli', 'common', 'sqlite3'].map((part) => `php8.2-${part}`))}
mv usr/lib/php/2* usr/lib/php/extensions`,
  files: ({ folder, home }) => {
    const users = new DatabaseSync(join(home, 'people.db'));
    users.exec(`create table people as with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
      select i as id, 'Person ' || i as name from n`);
    users.close();
    return {
      'index.php': `<?php function adminer_object() {
        class Open extends Adminer { function login($login, $password) { return true; } } return new Open; }
        include '${folder}/usr/share/adminer/adminer.php';`,
    };
  },
  command: ({ folder, home, port }) => [
    ...[join(folder, 'usr/bin/php8.2'), '-n', '-d', `extension_dir=${folder}/usr/lib/php/extensions`],
    ...['pdo', 'sqlite3', 'pdo_sqlite'].flatMap((name) => ['-d', `extension=${name}`]),
    ...['-d', `session.save_path=${home}`, '-S', `127.0.0.1:${port}`, join(home, 'index.php')],
  ],
  readyAt: '/',
  paths: ['/', '/?file=default.css', '/?file=functions.js', '/?file=jush.js'],
  varies: /nonce="[^"]*"|'\d+:\d+'/g,
  use: async (page, { home }) => {
    await page.goto('/?sqlite=');
    await page.locator('[name="auth[driver]"]').selectOption('sqlite');
    await page.locator('[name="auth[username]"]').fill('somebody');
    await page.locator('[name="auth[db]"]').fill(join(home, 'people.db'));
    await page.locator('form:has([name="auth[db]"]) [type="submit"]').click();
    await page.locator('a[href*="select=people"]').first().click();
    await page.getByText('Person 50', { exact: true }).waitFor();
  },
};

const prometheus: Stranger = {
  name: 'prometheus-debian-12',
  install: debian(
    'prometheus',
    ...['jquery', 'popper.js', 'bootstrap4', 'mustache', 'moment'].map((name) => `libjs-${name}`),
  ),
  files: ({ port }) => ({
    'prometheus.yml': `global: { scrape_interval: 1s }
scrape_configs: [{ job_name: self, static_configs: [{ targets: ['127.0.0.1:${port}'] }] }]`,
  }),
  command: ({ folder, home, port }) => [
    ...[
      join(folder, 'usr/bin/prometheus'),
      `--config.file=${home}/prometheus.yml`,
      `--storage.tsdb.path=${home}/data`,
    ],
    ...[`--web.listen-address=127.0.0.1:${port}`, `--web.local-assets=${folder}/usr/share/prometheus/web/`],
  ],
  readyAt: '/-/ready',
  paths: [
    ...[
      '/classic/graph',
      '/classic/flags',
      '/classic/static/jquery/jquery.min.js',
      '/api/v1/status/buildinfo',
    ],
    '/api/v1/query_range?query=vector(1)&start=0&end=10000&step=1',
  ],
  use: async (page) => {
    // The page of targets does not follow them.
    await until('the first scrape', async () =>
      (await (await page.goto('/api/v1/targets'))?.text())?.includes('"health":"up"'),
    );
    await page.goto('/classic/targets');
    await page.getByText(/\b1\/1 up\b/).waitFor();
    await page.goto('/classic/graph?g0.expr=up&g0.tab=1');
    await page.locator('td', { hasText: /^up\{.*job="self"\}$/ }).waitFor();
  },
};

const apiKey = 'a-key-of-the-tests';
const isOff = ['globalAnnounce', 'localAnnounce', 'relays', 'nat', 'crashReporting'].map(
  (name) => `<${name}Enabled>false</${name}Enabled>`,
);
const syncthing: Stranger = {
  name: 'syncthing-debian-12',
  install: debian('syncthing'),
  files: ({ port }) => ({
    'config.xml': `<configuration version="36">
      <gui enabled="true" tls="false"><address>127.0.0.1:${port}</address><apikey>${apiKey}</apikey></gui>
      <options><listenAddress>tcp://127.0.0.1:0</listenAddress><urAccepted>-1</urAccepted>${isOff.join('')}</options>
    </configuration>`,
  }),
  command: ({ folder, home }) => [
    ...[join(folder, 'usr/bin/syncthing'), 'serve', `--home=${home}`, '--no-browser', '--no-restart'],
    ...['--no-upgrade', '--no-default-folder'],
  ],
  readyAt: '/',
  paths: [
    '/',
    '/syncthing/app.js',
    '/vendor/angular/angular.js',
    '/assets/lang/lang-de.json',
    '/rest/config',
    '/rest/system/version',
  ],
  headers: [`X-API-Key: ${apiKey}`],
  use: async (page, { home, port }) => {
    const saved = page.waitForResponse(
      async (response) =>
        response.url().includes('/rest/events?') && (await response.text()).includes('"ConfigSaved"'),
    );
    await page.waitForResponse((response) => response.url().includes('/rest/events?'));
    // Somebody else changes something: the page learns of it by the stream of events.
    const label = `added-${randomUUID()}`;
    const body = JSON.stringify({ id: label, label, path: join(home, 'synced') });
    const add = await fetch(`http://127.0.0.1:${port}/rest/config/folders`, {
      ...{ method: 'POST', body, headers: { 'x-api-key': apiKey } },
    });
    if (!add.ok) throw new Error(`Syncthing refused the folder: ${add.status}`);
    await saved;
    await until('the folder', () => page.getByText(label).first().isVisible());
  },
};

export const strangers: readonly Stranger[] = [nodeRed, jupyterLab, adminer, prometheus, syncthing];
