import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Language } from '@talpa/contracts';
import type { CDPSession, Page } from 'playwright-core';
import { de as kitDe } from '../../../packages/panel-kit/core/texts/de.ts';
import { en as kitEn } from '../../../packages/panel-kit/core/texts/en.ts';
import { until } from '../wait.ts';
import { accentElsewhereOn, accentsOn } from './accent-places.ts';
import { brokenHostsOn } from './broken-hosts.ts';
import { faintDisabledOn } from './disabled-contrast.ts';
import type { Look } from './look.ts';
import type { Screen } from './screen.ts';
import { speak } from './visit.ts';

const discards = new RegExp(`^(${kitDe['leave.confirm']}|${kitEn['leave.confirm']})$`);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What takes the longest of what is looked for: what axe finds depends on the theme, what Tab comes to on the width. */
export interface Checks {
  readonly axe: boolean;
  readonly keyboard: boolean;
}

/** What is wrong with a screen, for any user, but for what its browser complains about; a line each. */
export async function faultsOf(
  page: Page,
  { isDialog }: Screen,
  { axe, keyboard }: Checks,
): Promise<string[]> {
  const faults = [...(axe ? await violationsOn(page, isDialog) : []), ...(await faintDisabledOn(page))];
  faults.push(...(await accentElsewhereOn(page)));
  if (isDialog) faults.push(...(await hiddenButtonsOn(page)));
  faults.push(...(await pressedTwiceOn(page)), ...(await sidewaysOn(page)), ...(await englishIconsOn(page)));
  if (keyboard) faults.push(...(await keyboardFaultsOn(page)));
  faults.push(...(await brokenHostsOn(page)));
  return faults;
}

/**
 * What axe finds; targets are at least 24 px. What is behind an open dialog is dimmed, and partly covered, on purpose.
 * @param inDialog looks at the open dialog alone: the page behind it is a screen of its own
 */
export async function violationsOn(page: Page, inDialog = false): Promise<string[]> {
  await page.evaluate(`window.axe || (() => { ${axe} })()`);
  const open = `[...document.querySelectorAll('[role=dialog]')].findLast((one) => one.checkVisibility())`;
  return await page.evaluate(`axe.run(${inDialog ? `${open} ?? document` : 'document'}, {
      resultTypes: ['violations'], rules: { 'target-size': { enabled: true } },
      // A selector for each element would take a third of the time.
      selectors: false, elementRef: true,
    }).then(({ violations }) => {
      const dialog = [...document.querySelectorAll('[role=dialog]')].findLast((one) => one.checkVisibility());
      const isInFront = ({ element }) => !dialog || dialog.contains(element);
      return violations.flatMap(({ id, nodes }) => {
        const found = ['color-contrast', 'target-size'].includes(id) ? nodes.filter(isInFront) : nodes;
        return found.length === 0 ? [] : [id + ': ' + found.map(({ html }) => html.slice(0, 160)).join(' | ')];
      });
    })`);
}

/**
 * Buttons at the end of the open dialog that are out of sight in a low window, until one scrolls. A table would turn
 * into cards in a narrower one, and the dialog's opener be gone.
 */
async function hiddenButtonsOn(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  if (!before) return [];
  const phones = [
    { width: 640, height: 400 },
    { width: 390, height: 420 },
  ];
  const faults: string[] = [];
  for (const size of before.width < 768 ? phones : [{ width: before.width, height: 400 }]) {
    await page.setViewportSize(size);
    const hidden = (await page.evaluate(outOfSight)) as string[];
    faults.push(...hidden.map((name) => `out of sight at ${size.width} × ${size.height} px: ${name}`));
  }
  await page.setViewportSize(before);
  return faults;
}

/** A toast that is in the way goes by itself; what stands where after a frame is where it stays. */
const outOfSight = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const dialog = [...document.querySelectorAll('[role=dialog]')].findLast((one) => one.checkVisibility());
  const isSeen = (one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  };
  const buttons = [...(dialog?.querySelectorAll('.ant-modal-footer button, .ant-modal-close') ?? [])];
  resolve(buttons.filter((one) => one.checkVisibility() && !isSeen(one)).map((one) => one.ariaLabel || one.textContent));
})))`;

/** Whether it scrolls sideways as it is, and, on a phone, on the smallest one; and what of it is cut off. */
export async function sidewaysOn(page: Page): Promise<string[]> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const widths = width < 400 ? [width, 320] : [width];
  const faults = [
    ...(await cutOffOn(page)),
    ...(await brokenLinesOn(page)),
    ...(width < 400 ? await smallActionsOn(page) : []),
  ];
  for (const now of widths) {
    if (now !== width) await page.setViewportSize({ width: now, height });
    const needed = (await page.evaluate(neededWidth)) as number;
    if (needed > now)
      faults.push(`scrolls sideways at ${now} px: it needs ${needed} for ${await widestOn(page)}`);
  }
  if (widths.length > 1) await page.setViewportSize({ width, height });
  return faults;
}

/** How wide it has to be. What is open beside a button follows it some frames after the window has another width. */
const neededWidth = `new Promise((resolve) => {
  const end = performance.now() + 2_000;
  const look = () => {
    const { scrollWidth } = document.documentElement;
    if (scrollWidth <= innerWidth || performance.now() > end) resolve(scrollWidth);
    else requestAnimationFrame(look);
  };
  look();
})`;

/** What reaches out of the window on the right, and has nothing in it that does. */
const widest = `[...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  .filter((one, at, all) => !one.contains(all[at + 1] ?? null)).map((one) => one.outerHTML.slice(0, 120)).slice(0, 2).join(' and ')`;
const widestOn = (page: Page): Promise<string> => page.evaluate(widest);

/**
 * Buttons, fields and cells that something around them cuts off or hides until one scrolls sideways, and cells
 * whose content reaches out of them. A text that ends in an ellipsis is no fault.
 */
const cutOff = `(() => {
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true }) && one.offsetWidth > 1;
  const name = (one) => (one.getAttribute('aria-label') || one.textContent).trim().slice(0, 60) || one.outerHTML.slice(0, 80);
  const isCut = (one) => {
    const { left, right } = one.getBoundingClientRect();
    for (let around = one.parentElement; around && around !== document.body; around = around.parentElement) {
      if (getComputedStyle(around).overflowX === 'visible') continue;
      const frame = around.getBoundingClientRect();
      if (right > frame.right + 1 || left < frame.left - 1) return true;
    }
    return false;
  };
  const parts = [...document.querySelectorAll('main :is(button, input, select, textarea, th, td)')].filter(isShown);
  const lines = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 8))).size;
  };
  const isDate = (one) => one.matches('td') && /^\\D{0,20}\\d[^:]{2,20}\\d{4}(\\D{1,6}\\d+:\\d+( [AP]M)?)?$/.test(one.textContent.trim());
  const dates = parts.filter(isDate).filter((one) => lines(one) > 1).map((one) => 'a date takes two lines: ' + one.textContent);
  const wide = (one) => one.matches('td') && one.scrollWidth > one.clientWidth + 1;
  return [...dates, ...parts.filter((one) => isCut(one) || wide(one)).map((one) => 'is cut off: ' + one.tagName + ' ' + name(one))];
})()`;
const cutOffOn = (page: Page): Promise<string[]> => page.evaluate(cutOff);

/** What belongs on one line: a page's title and its actions, a card's title and its icons. */
const brokenLines = `[...document.querySelectorAll('main :is(header h1, section > header > h2)')].flatMap((title) => {
  const line = (title.matches('h1') ? title.parentElement : title).parentElement;
  const buttons = [...line.querySelectorAll('button, a.ant-btn')].filter((one) => one.checkVisibility());
  const { top, bottom } = title.getBoundingClientRect();
  const isBeside = (one) => { const box = one.getBoundingClientRect(); return box.top < bottom && box.bottom > top; };
  return buttons.filter((one) => (innerWidth >= 1280 || one.matches('.ant-btn-icon-only')) && !isBeside(one))
    .map((one) => 'does not stand beside “' + title.textContent + '”: ' + (one.ariaLabel || one.textContent));
})`;
const brokenLinesOn = (page: Page): Promise<string[]> => page.evaluate(brokenLines);

/** Buttons of rows that a finger hardly hits, or that say what they do to screen readers alone. */
const smallActions = `[...document.querySelectorAll('main [data-actions] button')].flatMap((one) => {
  const { width, height } = one.getBoundingClientRect();
  const faults = width < 44 || height < 44 ? ['measures ' + Math.round(width) + ' × ' + Math.round(height) + ' px'] : [];
  if (!one.innerText.trim()) faults.push('has no word');
  return faults.map((fault) => 'the button ' + one.ariaLabel + ' ' + fault);
})`;
const smallActionsOn = (page: Page): Promise<string[]> => page.evaluate(smallActions);

/** A destructive button that appeared where the last press was: the second press of a double click confirms. */
const pressedTwice = `(() => {
  const { at: [x, y], button: pressed } = window.lastPress ?? { at: [-1, -1] };
  const button = document.elementFromPoint(x, y)?.closest('[role=dialog] .ant-btn-dangerous');
  return button && button !== pressed ? ['a double click confirms: ' + button.textContent] : [];
})()`;
const pressedTwiceOn = (page: Page): Promise<string[]> => page.evaluate(pressedTwice);

/** antd names its own icons, and the menu of its tabs, in English, whatever the language. */
const englishIcons = `[...document.querySelectorAll('.anticon[aria-label]')]
  .filter((one) => !one.closest('[aria-hidden=true]') && !one.parentElement.closest('button[aria-label]'))
  .map((one) => 'has an icon of antd with its English name: ' + one.ariaLabel)`;
const englishIconsOn = (page: Page): Promise<string[]> => page.evaluate(englishIcons);

/** Tracks every control one should get to, and how it looks without the focus. */
const trackControls = `(() => {
  document.activeElement?.blur?.();
  const dialogs = [...document.querySelectorAll('[role=dialog], dialog[open]')].filter((one) => one.checkVisibility());
  const scope = dialogs.at(-1) ?? document;
  const isThere = (one) => one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true })
    && !one.closest('[aria-hidden=true], [inert]') && !one.disabled
    && !(one.type === 'radio' && !one.checked)
    // Radix keeps the focus in the right order with these.
    && one.offsetWidth > 1;
  window.styleOf = (one) => {
    // The border that shows the focus of a choice of several is further out.
    const near = [one, one.parentElement, one.parentElement?.parentElement, one.closest('.ant-select'), one.nextElementSibling, one.firstElementChild];
    return near.filter(Boolean).map((each) => {
      const s = getComputedStyle(each);
      return [[s.outlineStyle, s.outlineWidth, s.outlineColor].join(' '), s.boxShadow, s.borderWidth === '0px' ? '' : 'border ' + s.borderColor].join('|');
    }).join(';');
  };
  window.controls = [...scope.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
    .filter(isThere).map((one) => ({ one, before: styleOf(one), reached: false, seen: false, misleads: false }));
  // Each part of a time is a stop of the browser's own.
  const partsOfTimes = scope.querySelectorAll('input[type=datetime-local]').length * 6 + scope.querySelectorAll('input[type=time]').length * 3;
  return window.controls.length + partsOfTimes;
})()`;
/**
 * Tracks what is said to those who do not see the screen, outside what is German in every language; when called again,
 * only if the page has changed.
 */
const trackSpoken = `window.trackSpoken = () => {
  if (!window.spoken) {
    window.spoken = new Set();
    window.hasChanged = true;
    new MutationObserver(() => { window.hasChanged = true; })
      .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  }
  if (!window.hasChanged) return;
  window.hasChanged = false;
  const attributes = ['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'title', 'alt', 'placeholder'];
  const all = document.querySelectorAll(attributes.map((name) => '[' + name + ']').join() + ', [aria-live], [role=status], [role=alert]');
  for (const one of all) {
    // A button's own name stands for what is in it.
    if (one.closest('[aria-hidden=true]') || one.parentElement?.closest('button[aria-label], a[aria-label]')) continue;
    if (one.closest('[lang]') !== document.documentElement || !one.checkVisibility({ visibilityProperty: true })) continue;
    const texts = attributes.map((name) => one.getAttribute(name));
    if (one.matches('[aria-live], [role=status], [role=alert]')) texts.push(one.textContent);
    for (const text of texts) if (text?.trim()) window.spoken.add(text.trim());
  }
}`;
const trackFocus = (errors: readonly string[], accents: readonly string[]) => `window.trackFocus = () => {
  const [errors, accents] = [${JSON.stringify(errors)}, ${JSON.stringify(accents)}];
  const found = window.controls.find(({ one }) => one === document.activeElement);
  if (!found) return;
  const now = window.styleOf(found.one);
  found.reached = true;
  found.seen ||= now !== found.before;
  const before = found.before.split(/[;|]/);
  // The color of an outline that is not drawn is no ring; the border of what was refused on the way here is red.
  const takenBy = (part) => part.startsWith('none') ? [] : part.startsWith('border') ? accents : [...errors, ...accents];
  found.misleads ||= now.split(/[;|]/)
    .some((part) => !before.includes(part) && takenBy(part).some((color) => part.includes(color)));
}`;
/** Each press of Tab first tracks what the one before has led to. */
const trackEachPress = `window.trackPress ??= (addEventListener('keydown', ({ key }) => {
  if (key !== 'Tab') return;
  trackSpoken();
  trackFocus();
}, true), true)`;
const hasReachedAll = `trackSpoken(); trackFocus(); window.controls.every(({ reached }) => reached)`;
const missed = `window.controls.flatMap(({ one, reached, seen, misleads }) => {
  if (!one.isConnected || (reached && seen && !misleads)) return [];
  const fault = !reached ? 'Tab never comes to: ' : !seen ? 'focus cannot be seen: ' : 'focus has the color of an error or of the accent: ';
  return [fault + one.outerHTML.slice(0, 160)];
})`;

/** Controls that Tab does not come to, or that do not show the focus, or in a color that says something else. */
async function keyboardFaultsOn(page: Page): Promise<string[]> {
  // What the pointer is over looks otherwise, until a control that scrolls takes it away.
  await page.mouse.move(0, 0);
  const count = (await page.evaluate(trackControls)) as number;
  const track = trackFocus(await errorsOn(page), await accentsOn(page));
  await page.evaluate(`${trackSpoken}; ${track}; trackSpoken(); ${trackEachPress}`);
  const keyboard = await page.context().newCDPSession(page);
  // So many at once, not one after the other: the browser need not draw a picture and answer us for each.
  await pressTab(keyboard, count);
  // A round through the page leaves it for the browser's own controls in between; what happens meanwhile comes on top.
  for (let more = 0; more < count + 8 && !(await page.evaluate(hasReachedAll)); more += 1)
    await pressTab(keyboard, 1);
  await keyboard.detach();
  return await page.evaluate(missed);
}

/** How browsers write the colors of errors. */
const errorsOn = (page: Page): Promise<string[]> =>
  page.evaluate(`['', '-border', '-text'].map((part) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--ant-color-error' + part + ')';
    const color = getComputedStyle(probe).color;
    probe.remove();
    return color.replace(/^rgba?/, '').replace(/[)]$/, '');
  })`);

async function pressTab(keyboard: CDPSession, times: number): Promise<void> {
  const tab = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };
  const types = Array.from({ length: times }, () => ['rawKeyDown', 'keyUp'] as const).flat();
  await Promise.all(types.map((type) => keyboard.send('Input.dispatchKeyEvent', { type, ...tab })));
}

/**
 * What the screen says in each language to those who do not see it; also while something has the focus, if the keyboard was
 * looked at. It speaks the last one from then on.
 */
export async function spokenOn(
  page: Page,
  { language }: Look,
): Promise<Readonly<Record<Language, string[]>>> {
  const said = async () => {
    await page.evaluate(`${trackSpoken}; trackSpoken()`);
    return (await page.evaluate('[...window.spoken]')) as string[];
  };
  const other = language === 'de' ? 'en' : 'de';
  const first = await said();
  await page.evaluate(`delete window.spoken; ${speak(other)}`);
  const second = await said();
  return language === 'de' ? { de: first, en: second } : { de: second, en: first };
}

/** A closed dialog gives the focus back to the button that opened it. */
export async function returnFaultsOn(page: Page): Promise<string[]> {
  await page.keyboard.press('Escape');
  // Where something was typed it asks first.
  const discard = page.getByRole('button', { name: discards });
  const closed = page.getByRole('dialog').first().waitFor({ state: 'hidden' });
  // Not the click: one that still waited would press in the next dialog of the page, and through it when that has closed.
  const asks = discard.waitFor().then(
    () => true,
    () => false,
  );
  if (await Promise.race([closed.then(() => false), asks])) await discard.click();
  await closed;
  const isBack = () => page.evaluate('document.activeElement === window.firstClicked');
  try {
    await until('the focus to come back', isBack, 2_000);
    return [];
  } catch {
    const where = await page.evaluate('document.activeElement?.outerHTML.slice(0, 160)');
    return [`the focus does not come back from the dialog, but goes to ${where}`];
  }
}
