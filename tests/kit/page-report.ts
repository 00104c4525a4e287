import type { Page, Request } from 'playwright-core';

/** The last events of a page that a report shows. */
const shownEvents = 40;

/** Notes what happens on a page. @returns a function that lists, as lines, what has happened last and what the page shows now */
export function watchPage(page: Page): () => Promise<string[]> {
  const events: string[] = [];
  const note = (text: string) => {
    // As in the logs, to hold beside them.
    events.push(`${new Date().toISOString()} ${text}`);
    if (events.length > shownEvents) events.shift();
  };
  page.on('framenavigated', (frame) => note(`at ${frame.url()}`));
  page.on('response', (response) => {
    if (!isCall(response.request())) return;
    note(`${response.status()} ${nameOf(response.request())}`);
    if (response.status() >= 400)
      response.text().then(
        (body) => note(`… which says ${body.slice(0, 300)}`),
        () => {},
      );
  });
  page.on('requestfailed', (request) => note(`${request.failure()?.errorText} ${nameOf(request)}`));
  page.on('console', (message) => note(`console: ${message.text()}`));
  page.on('pageerror', (error) => note(`exception: ${error.message}`));
  return async () => [`page ${page.url()}`, ...events, await contentOf(page)];
}

const isCall = (request: Request) => ['fetch', 'xhr', 'document'].includes(request.resourceType());
const nameOf = (request: Request) => `${request.method()} ${request.url()}`;

async function contentOf(page: Page): Promise<string> {
  if (page.isClosed()) return 'closed';
  const content = page.locator('body').ariaSnapshot({ timeout: 5_000 });
  return await content.catch((error: unknown) => `the page does not answer: ${error}`);
}
