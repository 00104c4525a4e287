import type { Page, Request } from 'playwright-core';
import { onTestFailed } from 'vitest';
import { addFailureReport } from './failure-report.ts';

/** The last events of a page that a report shows. */
const shownEvents = 40;

/**
 * Prints, when the running test fails, what its page shows and what happened on it last: a failure that comes once in
 * fifty runs has to explain itself. Outside of a test it does nothing.
 */
export function reportOnFailure(page: Page): void {
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
  const screen = () =>
    page
      .locator('body')
      .ariaSnapshot({ timeout: 5_000 })
      .catch((error: unknown) => `the page does not answer: ${error}`);
  try {
    onTestFailed(async (test) =>
      addFailureReport(test, [`page ${page.url()}`, ...events, page.isClosed() ? 'closed' : await screen()]),
    );
  } catch {
    // The page was opened before the first test, by a hook.
  }
}

const isCall = (request: Request) => ['fetch', 'xhr', 'document'].includes(request.resourceType());
const nameOf = (request: Request) => `${request.method()} ${request.url()}`;
