import type { Preferences } from '@talpa/contracts';
import type { Page } from 'playwright-core';
import { accentOn } from '../../../packages/panel-kit/ui/palette.ts';

/** Where the accent may be: at the primary action, at links, and at what is chosen. */
const places = [
  'a',
  '.ant-btn-primary',
  '.ant-btn-link',
  '[aria-selected=true]',
  '[aria-pressed=true]',
  '[aria-current]:not([aria-current=false])',
  ...['checkbox', 'radio', 'radio-button', 'switch'].map((kind) => `.ant-${kind}-checked`),
  '.ant-radio-button-wrapper-checked',
  // A choice whose input is hidden, and the swatches of all accents.
  'label:has(> :checked)',
  'label:has(> [name=accent])',
  '.ant-tabs-tab-active',
  '.ant-tabs-ink-bar',
  '.ant-select-item-option-selected',
  '.ant-table-row-selected',
  '.ant-picker-cell-selected',
  '.ant-picker-cell-today',
].join();

/** What has a color of the accent elsewhere: a red one would make it look like an error, a green one like a success. */
const elsewhere = (accents: readonly string[]) => `(() => {
  const accents = ${JSON.stringify(accents)};
  const ownText = (one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const colorsOf = (one) => {
    const s = getComputedStyle(one);
    const sides = ['Top', 'Right', 'Bottom', 'Left'].filter((side) => parseFloat(s['border' + side + 'Width']) > 0);
    return [
      ...(ownText(one) || one.matches('svg, input, textarea') ? [s.color] : []),
      s.backgroundColor, s.backgroundImage, s.boxShadow,
      ...sides.map((side) => s['border' + side + 'Color']),
    ].join(' ');
  };
  return [...document.querySelectorAll('body *')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(${JSON.stringify(places)}))
    .filter((one) => accents.some((accent) => colorsOf(one).includes(accent)))
    .map((one) => 'has the accent’s color: ' + one.outerHTML.slice(0, 160));
})()`;

/** As browsers write a color: `rgb(1, 2, 3)`, or with an alpha. */
const channels = (hex: string) =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ');

/** How browsers write the colors of the accent that a page has. */
export async function accentsOn(page: Page): Promise<string[]> {
  const stored = (await page.evaluate('localStorage.appearance')) as string;
  const [theme, accentColor] = stored.split(' ') as [
    Preferences['appearance']['theme'],
    Preferences['appearance']['accentColor'],
  ];
  const { onFill: _, ...accent } = accentOn({ theme, accentColor });
  return [...new Set(Object.values(accent))]
    .map((hex) => `(${channels(hex)}`)
    .flatMap((start) => [`${start})`, `${start},`]);
}

export const accentElsewhereOn = async (page: Page) =>
  (await page.evaluate(elsewhere(await accentsOn(page)))) as string[];
