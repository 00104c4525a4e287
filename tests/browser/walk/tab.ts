import type { Language } from '@talpa/contracts';
import { complaintsOf } from '@talpa/test-kit/browser';
import { heading } from '@talpa/test-kit/panel/heading';
import { type Words, wordsIn } from '@talpa/test-kit/panel/words';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { isGerman } from './forms.ts';
import { type Model, placeOf, tabOf } from './model.ts';

/** What a tab of the browser has done since somebody looked. */
interface Noise {
  /** Calls that change something, as `METHOD /path`. */
  readonly calls: string[];
  /** Console errors, exceptions and the like. */
  readonly complaints: string[];
}

/** A tab of the browser. */
export interface Tab extends Noise {
  readonly page: Page;
  /** Whether the browser asked before it left the page. */
  hasAsked: boolean;
  readonly dialogs: Locator;
  /** The lower one of two. */
  readonly dialog: Locator;
}

export async function openTab(context: BrowserContext, base: string): Promise<Tab> {
  const page = await context.newPage();
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' && pathname.startsWith('/api/'))
      calls.push(`${request.method()} ${pathname.replace(/\/\d+(?=\/|$)/g, '/:id')}`);
  });
  const dialogs = page.getByRole('dialog').filter({ visible: true });
  const tab: Tab = {
    page,
    calls,
    complaints: await complaintsOf(page, base),
    hasAsked: false,
    dialogs,
    dialog: dialogs.first(),
  };
  page.on('dialog', (dialog) => {
    tab.hasAsked = true;
    void dialog.accept();
  });
  await page.goto('/');
  await heading(page).first().waitFor();
  return tab;
}

const words: Readonly<Record<Language, Words>> = { de: wordsIn('de'), en: wordsIn('en') };

/** What stands on the buttons around the page. */
export const frameWords = ({ language }: Model): Words => words[language];
/** What stands on the page and in its dialogs. */
export const pageWords = (model: Model): Words =>
  words[isGerman(placeOf(tabOf(model))) ? 'de' : model.language];
/** The words of the question whether what was typed may be lost. */
export const asking = (from: Words, locator: Page | Locator) => ({
  leave: locator.getByRole('button', { name: from.kit('leave.confirm'), exact: true }),
  stay: locator.getByRole('button', { name: from.kit('leave.stay'), exact: true }),
});
