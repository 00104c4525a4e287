import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';

/** The last events of a page that a report shows. */
const shownEvents = 40;

/** Remembers what happens on a page. @returns a function that lists, as lines, what has happened last and what the page shows now */
export function watchPage(page: Page): () => Promise<string[]> {
  const events: string[] = [];
  const remember = (text: string) => {
    // As in the logs, to hold beside them.
    events.push(`${new Date().toISOString()} ${text}`);
    if (events.length > shownEvents) events.shift();
  };
  page.on('framenavigated', (frame) => remember(`at ${frame.url()}`));
  page.on('response', (response) => {
    if (!isCall(response.request())) return;
    remember(`${response.status()} ${nameOf(response.request())}`);
    if (response.status() >= 400)
      response.text().then(
        (body) => remember(`… which says ${body.slice(0, 300)}`),
        () => {},
      );
  });
  page.on('requestfailed', (request) => remember(`${request.failure()?.errorText} ${nameOf(request)}`));
  page.on('console', (message) => remember(`console: ${message.text()}`));
  page.on('pageerror', (error) => remember(`exception: ${error.message}`));
  return async () => [
    `page ${page.url()}`,
    ...events,
    ...(await Promise.all([contentOf(page), drawingOf(page)])),
  ];
}

const isCall = (request: Request) => ['fetch', 'xhr', 'document'].includes(request.resourceType());
const nameOf = (request: Request) => `${request.method()} ${request.url()}`;

async function contentOf(page: Page): Promise<string> {
  if (page.isClosed()) return 'closed';
  const content = page.locator('body').ariaSnapshot({ timeout: 5_000 });
  return await content.catch((error: unknown) => `the page does not answer: ${error}`);
}

/** Playwright presses nothing before a page has drawn two frames: one that draws none looks well and takes no click. */
async function drawingOf(page: Page): Promise<string> {
  if (page.isClosed()) return '';
  const ask = (script: string) =>
    Promise.race([page.evaluate(script).catch(String), sleep(5_000, 'no answer', { ref: false })]);
  const frame = 'new Promise((drawn) => requestAnimationFrame(() => drawn("a frame")))';
  const drawn = await ask(frame);
  if (drawn === 'a frame') return 'it draws';
  const visibility = await ask('document.visibilityState');
  await page.bringToFront().catch(() => {});
  return `it does not draw: ${drawn}, ${visibility}; in front: ${await ask(frame)}`;
}
