import { useSharedBrowser } from '@talpa/test-kit/browser';
import { newUser, proxyInput } from '@talpa/test-kit/client';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';
import { pages } from '../../frontends/user/src/pages.ts';

const system = useSharedTalpa();
const browser = useSharedBrowser();

it('session, remote and page are requested while the shell’s code is on its way, and each file once', async () => {
  const { client } = await newUser(system.url, 'basic');
  const { page, complaints } = await browser.open(system.url);
  const [name = '', value = ''] = client.cookie.split('=');
  await page.context().addCookies([{ name, value, url: system.url }]);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  // A part of the shell without which it does nothing.
  const html = await (await fetch(system.url)).text();
  const [, part = ''] = html.match(/<link rel="preload" as="script" href="([^"]+)" \/>\s*<\/head>/) ?? [];
  expect(part).not.toBe('');
  await page.route(`**${part}`, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  for (const wanted of [
    /^\/api\/user$/,
    /user\/remoteEntry/,
    /user\/mf-manifest/,
    /user\/__federation_expose_routes/,
  ])
    await until(`a request for ${wanted}`, () => requested.some((path) => wanted.test(path)));
  await expect
    .poll(() => requested.filter((path) => /^\/remotes\/user\/\d+\..*js$/.test(path)).length)
    .toBeGreaterThan(0);
  expect(await page.locator('h1').count()).toBe(0);
  release();
  await page.locator('h1').first().waitFor();
  const files = requested.filter((path) => /\.(js|css|json)$/.test(path));
  expect(files.filter((path, index) => files.indexOf(path) !== index)).toEqual([]);
  expect(complaints).toEqual([]);
});

it('on a phone nothing on a page is pushed away by what loads after it', async () => {
  const { client } = await newUser(system.url, 'basic');
  await client.call('POST /api/tunnel-configs', proxyInput());
  const { page } = await browser.open(system.url, { viewport: { width: 390, height: 844 } });
  await carrySession(page, client);
  await page.addInitScript(`
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  // Data that comes after the page: one proxy, or a list of them, is the last.
  await page.route('**/api/tunnel-configs?*', async (route) => {
    await page.locator('h1').first().waitFor();
    await route.continue();
  });
  const shifts: Record<string, number> = {};
  for (const { path } of [
    pages.dashboard,
    pages.proxies,
    pages.settings,
    pages.subscription,
    pages.notifications,
  ]) {
    await page.goto(path);
    await page.locator('h1').first().waitFor();
    const loading = page.locator('main').locator('[data-loading], .ant-skeleton');
    await expect.poll(() => loading.count()).toBe(0);
    // Two frames: the browser reports a frame's shift after it.
    await page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
    );
    shifts[path] = (await page.evaluate('shift')) as number;
  }
  // The goal of the panel's speed, as Lighthouse counts it.
  expect(Object.entries(shifts).filter(([, shift]) => shift > 0.02)).toEqual([]);
});
