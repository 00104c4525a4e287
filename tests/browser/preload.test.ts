import { useSharedBrowser } from '@talpa/test-kit/browser';
import { newUser, proxyInput } from '@talpa/test-kit/client';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';
import { pages } from '../../frontends/user/src/pages.ts';

const { shell: say } = wordsIn('de');
const system = useSharedTalpa();
const browser = useSharedBrowser();

it('session and data are requested while the frame’s code is on its way, the page’s code after it, and each file once', async () => {
  const { client } = await newUser(system.url, 'basic');
  const { page, complaints } = await browser.open(system.url, { isFirstVisit: true });
  const [name = '', value = ''] = client.cookie.split('=');
  await page.context().addCookies([{ name, value, url: system.url }]);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  // A part of the frame without which it does nothing.
  const html = await (await fetch(system.url)).text();
  const [, part = ''] = html.match(/<link rel="preload" as="script" href="(\/libraries[^"]+)"/) ?? [];
  expect(part).not.toBe('');
  await page.route(`**${part}`, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  for (const wanted of [/^\/api\/user$/, /user\/mf-manifest/, /user\/preload/, /^\/api\/tunnel-configs$/])
    await until(`a request for ${wanted}`, () => requested.some((path) => wanted.test(path)));
  const ofPage = () => requested.filter((path) => /^\/remotes\/user\/(\d+\.|remoteEntry).*js$/.test(path));
  // It would take its share of the line from the frame.
  expect(ofPage()).toEqual([]);
  expect(await page.locator('h1').count()).toBe(0);
  release();
  await until('requests for the page’s code', () => ofPage().length > 1);
  await page.locator('h1').first().waitFor();
  // None of it is requested only because other code of it asks.
  const preloaded = await page
    .locator('link[rel=preload]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(ofPage().filter((path) => !preloaded.includes(path))).toEqual([]);
  const files = requested.filter((path) => /\.(js|css|json)$/.test(path));
  expect(files.filter((path, index) => files.indexOf(path) !== index)).toEqual([]);
  expect(complaints).toEqual([]);
});

it('a page’s heading is there before its code', async () => {
  const { client } = await newUser(system.url, 'basic');
  const { page } = await browser.open(system.url, { isFirstVisit: true });
  await carrySession(page, client);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/remotes\/user\/remoteEntry/, async (route) => {
    await held;
    await route.continue();
  });
  for (const { path, title, subtitle } of [pages.proxies, pages.settings]) {
    await page.goto(path, { waitUntil: 'commit' });
    await page.getByRole('heading', { level: 1, name: title.de }).waitFor();
    await page.getByText(subtitle.de).waitFor();
    await page.locator('main [data-loading]').waitFor();
  }
  release();
  await page.getByRole('tablist').waitFor();
  expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual([pages.settings.title.de]);
});

it('the sign-in page’s heading is there before its code, and stays where it is', async () => {
  const { page } = await browser.open(system.url, { isFirstVisit: true });
  const html = await (await fetch(system.url)).text();
  const [, files = '[]'] = html.match(/"\.\/auth\/auth-page\.tsx":(\[[^\]]+\])/) ?? [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  for (const file of JSON.parse(files) as string[])
    await page.route(`**/${file}`, async (route) => {
      await held;
      await route.continue();
    });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/auth', { waitUntil: 'commit' });
  const heading = page.getByRole('heading', { level: 1, name: say('auth.welcome') });
  await heading.waitFor();
  await page.locator('main [data-loading]').waitFor();
  const top = async () => (await heading.boundingBox())?.y;
  const before = await top();
  release();
  await page.getByLabel(say('auth.password'), { exact: true }).waitFor();
  expect(await top()).toBe(before);
});

it('on a phone nothing on a page is pushed away by what loads after it', async () => {
  const { client } = await newUser(system.url, 'basic');
  await client.call('POST /api/tunnel-configs', proxyInput());
  const { page } = await browser.open(system.url, {
    isFirstVisit: true,
    viewport: { width: 390, height: 844 },
  });
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
