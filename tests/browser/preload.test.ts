import { useSharedBrowser } from '@talpa/test-kit/browser';
import { newUser } from '@talpa/test-kit/client';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';

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
