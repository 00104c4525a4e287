import type { Language } from '@talpa/contracts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOn } from './faults.ts';

/** Looks at a page of the wall, and goes through it by keyboard. */
export function wallPageOn(page: Page, { language, width }: { language: Language; width: number }) {
  /** What has the focus: its id, its class or its type. */
  const focused = () =>
    page.evaluate(
      'document.activeElement.id || document.activeElement.className || document.activeElement.type',
    );
  return {
    focused,
    /** In the language, accessible, no wider than the window, without scripts. */
    isGood: async () => {
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      expect(await violationsOn(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await page.locator('script').count()).toBe(0);
    },
    /** Tab comes to these one after another, and the focus can be seen. */
    tabTo: async (...order: string[]) => {
      for (const next of order) {
        await page.keyboard.press('Tab');
        expect(await focused()).toBe(next);
        expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
      }
    },
  };
}
