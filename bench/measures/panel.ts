import { launchBrowser } from '@talpa/test-kit/browser';
import type { Browser, BrowserContext, CDPSession } from 'playwright-core';
import { spread, table } from '../kit/statistics.ts';
import { newBenchUsers, startTalpaForBench } from '../systems/talpa.ts';

/** A slow 4G line and a slow phone, as Lighthouse simulates them. */
const line = { latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 750_000 / 8 };
const processorSlowdown = 4;
const viewport = { width: 390, height: 844 };
/** Nothing larger is painted, and nothing moves, when the network has been silent for so long. */
const silentMs = 1_500;

const pages = [
  '/',
  '/tunnel-configuration',
  '/settings',
  '/subscription',
  '/notifications',
  '/auth',
] as const;

interface Load {
  /** ms until the page's heading is there. */
  readonly heading: number;
  /** ms of the largest contentful paint. */
  readonly lcp: number;
  /** Cumulative layout shift, without a unit. */
  readonly shift: number;
  /** ms that the processor was busy in tasks above 50 ms, beyond these 50 ms. */
  readonly blocked: number;
  readonly requests: number;
  /** KiB on the line. */
  readonly kib: number;
}

interface Exchange {
  readonly url: string;
  readonly sent: number;
  ended: number;
  bytes: number;
}

/** Collects what the page itself measures. */
const observe = `
  window.measured = { lcp: 0, shift: 0, blocked: 0, heading: 0, slowest: 0, what: [] };
  new PerformanceObserver((list) => {
    for (const { startTime, element, url } of list.getEntries()) {
      measured.lcp = startTime;
      const what = (element?.tagName ?? '') + ' ' + (url || element?.textContent || '').slice(0, 60);
      measured.what.push(Math.round(startTime) + ' ' + what);
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) measured.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) measured.blocked += duration - 50;
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration, interactionId } of list.getEntries())
      if (interactionId) measured.slowest = Math.max(measured.slowest, duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
  new MutationObserver(() => {
    if (!measured.heading && document.querySelector('h1')?.checkVisibility()) measured.heading = performance.now();
  }).observe(document, { subtree: true, childList: true });
`;

interface Measured extends Omit<Load, 'requests' | 'kib'> {
  /** Each paint that was the largest so far, with its time. */
  readonly what: readonly string[];
  readonly slowest: number;
}

/** Opens an address on a slow line and processor, and waits until all is there. */
async function load(context: BrowserContext, path: string, isShown: boolean): Promise<Load> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const exchanges = await watch(devtools);
  await page.addInitScript(observe);
  await slow(devtools);
  await page.goto(path);
  await page.locator('h1').first().waitFor();
  while (!isSilent(exchanges)) await page.waitForTimeout(100);
  const { what, ...measured } = (await page.evaluate('window.measured')) as Measured;
  const all = [...exchanges.values()];
  if (isShown) console.log(`${path}: the largest paints\n${what.join('\n')}\n${waterfall(all)}`);
  await page.close();
  const kib = all.reduce((total, { bytes }) => total + bytes, 0) / 1_024;
  return { ...measured, requests: all.length, kib };
}

async function slow(devtools: CDPSession): Promise<void> {
  await devtools.send('Network.emulateNetworkConditions', { offline: false, ...line });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown });
}

/** Tracks what goes over the line; what comes from the cache does not. */
async function watch(devtools: CDPSession): Promise<Map<string, Exchange>> {
  const exchanges = new Map<string, Exchange>();
  await devtools.send('Network.enable');
  devtools.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    if (!request.url.startsWith('data:'))
      exchanges.set(requestId, { url: request.url, sent: timestamp, ended: 0, bytes: 0 });
  });
  devtools.on('Network.requestServedFromCache', ({ requestId }) => exchanges.delete(requestId));
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache) exchanges.delete(requestId);
    // It never ends.
    if (response.mimeType === 'text/event-stream') exchanges.delete(requestId);
  });
  const end = (requestId: string, timestamp: number, bytes: number) => {
    const exchange = exchanges.get(requestId);
    if (exchange) Object.assign(exchange, { ended: timestamp, bytes });
  };
  devtools.on('Network.loadingFinished', (event) =>
    end(event.requestId, event.timestamp, event.encodedDataLength),
  );
  devtools.on('Network.loadingFailed', (event) => end(event.requestId, event.timestamp, 0));
  return exchanges;
}

const changedAt = new WeakMap<Map<string, Exchange>, { count: number; at: number }>();
function isSilent(exchanges: Map<string, Exchange>): boolean {
  const count = [...exchanges.values()].filter(({ ended }) => ended > 0).length;
  const before = changedAt.get(exchanges);
  if (before?.count !== count || count < exchanges.size)
    changedAt.set(exchanges, { count, at: performance.now() });
  return performance.now() - (changedAt.get(exchanges)?.at ?? 0) > silentMs;
}

function waterfall(exchanges: readonly Exchange[]): string {
  const start = Math.min(...exchanges.map(({ sent }) => sent));
  const ms = (time: number) => String(Math.round((time - start) * 1_000)).padStart(6);
  return exchanges
    .map(
      ({ url, sent, ended, bytes }) =>
        `${ms(sent)} ${ms(ended)} ${String(bytes).padStart(7)} ${new URL(url).pathname}`,
    )
    .join('\n');
}

/** ms of the slowest of some interactions with a page: each control of its first screen that opens something. */
async function slowestInteraction(context: BrowserContext, path: string): Promise<number> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await page.addInitScript(observe);
  await page.goto(path);
  await page.locator('h1').first().waitFor();
  // The heading is there before the page's controls.
  while ((await page.locator('[data-loading], main .ant-skeleton').count()) > 0)
    await page.waitForTimeout(50);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown });
  const controls = page.locator('main button:visible, main [role=tab]:visible');
  const count = Math.min(await controls.count(), 12);
  for (let index = 0; index < count; index += 1) {
    const control = controls.nth(index);
    if (!(await control.isVisible()) || !(await control.isEnabled())) continue;
    await control.click({ timeout: 3_000 }).catch(() => {});
    await page.keyboard.press('Escape');
    await page.waitForTimeout(300);
  }
  const { slowest } = (await page.evaluate('window.measured')) as Measured;
  await page.close();
  return slowest;
}

/** How fast each page is there on a slow line and processor, at the first visit and at the second. */
export async function measurePanel(options: {
  rounds: number;
  isShown: boolean;
  only: string | undefined;
}): Promise<void> {
  const talpa = await startTalpaForBench();
  let browser: Browser | undefined;
  try {
    browser = await launchBrowser(['--js-flags=']);
    const [user] = await newBenchUsers(talpa.talpa, 1, 5);
    const [name = '', value = ''] = user?.cookie.split('=') ?? [];
    const rows: string[][] = [];
    for (const path of pages.filter((one) => !options.only || one === options.only)) {
      const visits: [Load[], Load[]] = [[], []];
      const interactions: number[] = [];
      for (let round = 0; round < options.rounds; round += 1) {
        const context = await browser.newContext({ baseURL: talpa.url, locale: 'de-DE', viewport });
        if (path !== '/auth') await context.addCookies([{ name, value, url: talpa.url }]);
        for (const [index, visit] of visits.entries())
          visit.push(await load(context, path, options.isShown && round === 0 && index === 0));
        interactions.push(await slowestInteraction(context, path));
        await context.close();
      }
      for (const [index, visit] of visits.entries()) {
        const of = (field: keyof Load) => spread(visit.map((one) => one[field]));
        const interaction = index === 0 ? '' : spread(interactions);
        const figures = (['lcp', 'heading', 'shift', 'blocked', 'requests', 'kib'] as const).map(of);
        rows.push([path, index === 0 ? 'first' : 'second', ...figures, interaction]);
      }
    }
    console.log(
      table(
        [
          'page',
          'visit',
          'LCP ms',
          'heading ms',
          'shift',
          'blocked ms',
          'requests',
          'KiB',
          'slowest interaction ms',
        ],
        rows,
      ),
    );
  } finally {
    await browser?.close();
    await talpa.stop();
  }
}
