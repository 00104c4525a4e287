import type { Locator, Page } from 'playwright-core';

/** The heading of a page whose code has loaded: the panel draws headings earlier, on a page that is marked as busy. */
export function heading(page: Page, name?: string | RegExp): Locator {
  return page
    .getByRole('heading', { level: 1, ...(name === undefined ? {} : { name }) })
    .and(page.locator('h1:not([aria-busy="true"] h1)'));
}
