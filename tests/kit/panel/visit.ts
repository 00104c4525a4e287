import type { Browser, Page } from 'playwright-core';
import { mascotPath } from '../../../frontends/shell/src/paths.ts';
import { complaintsOf } from '../browser.ts';
import { patienceMs } from '../lengths.ts';
import { until } from '../wait.ts';
import type { Look } from './look.ts';
import type { World } from './people.ts';
import { type Screen, Stage } from './screen.ts';
import { watchButtons } from './still-buttons.ts';

/** A screen as it stands before one, and what its browser has complained about so far, but for what it expects. */
export interface ShownScreen {
  readonly page: Page;
  readonly complaints: () => string[];
}

/** Opens screens, one after another; what the browser has loaded it keeps. */
export interface Visitor {
  visit<T>(screen: Screen, look: Look, work: (shown: ShownScreen) => Promise<T>): Promise<T>;
  /** How often it has loaded the panel: the other screens it came to within a page. */
  readonly loads: number;
  close(): Promise<void>;
}

const height = { 1280: 800, 768: 1024, 390: 844 } as const;

/** A page with what belongs to it. */
interface Opened {
  readonly page: Page;
  readonly look: Look;
  readonly stage: Stage;
  readonly complaints: readonly string[];
  /** Whether calls got other responses after it was opened. */
  isChanged: boolean;
}

/** @param world what it shows; two visitors of the same person at the same time wear the same */
export async function openVisitor(
  browser: Browser,
  { base, world }: { readonly base: string; readonly world: World },
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: base,
    locale: 'de-DE',
    // Colors in the middle of a transition would be judged.
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(patienceMs);
  // As long as it is open the process stays, with the panel's code compiled: a visit takes a quarter less time.
  const first = await context.newPage();
  await first.goto('/mole.svg');
  let loads = 0;
  const open = async (screen: Screen, look: Look): Promise<Opened> => {
    const { width, theme, accentColor, language } = look;
    await context.clearCookies();
    if (screen.as) {
      await world.wear(screen.as, look);
      const [name = '', value = ''] = world.clients[screen.as].cookie.split('=');
      await context.addCookies([{ name, value, url: base }]);
    }
    const page = await context.newPage();
    await page.setViewportSize({ width, height: height[width] });
    const complaints = await complaintsOf(page, base);
    const stored = {
      language,
      appearance: `${theme} ${accentColor}`,
      // There the open sidebar leaves the least room.
      ...(width === 768 ? { 'sidebar-state': 'expanded' } : {}),
      ...screen.stored,
    };
    await page.addInitScript(`localStorage.clear(); Object.assign(localStorage, ${JSON.stringify(stored)});
      addEventListener('click', ({ target }) => window.firstClicked ??= target.closest('button, a'), true);
      addEventListener('input', () => { window.hasTyped = true; }, true);
      addEventListener('pointerdown', ({ clientX, clientY, target }) => {
        window.lastPress = { at: [clientX, clientY], button: target.closest('button') };
      }, true);`);
    await page.addInitScript(watchButtons);
    if (screen.random !== undefined) await page.addInitScript(`Math.random = () => ${screen.random}`);
    const stage = new Stage(page, look, world);
    if (screen.held) await stage.hold(screen.held);
    if (screen.lost) await page.route(screen.lost, (route) => route.abort());
    await screen.prepare?.(stage);
    loads += 1;
    await page.goto(pathOf(screen, world));
    await page.locator('h1').first().waitFor();
    const opened: Opened = { page, look, stage, complaints, isChanged: false };
    const route = page.route.bind(page);
    page.route = (...given) => {
      opened.isChanged = true;
      return route(...given);
    };
    return opened;
  };
  const close = async ({ stage, page }: Opened) => {
    await stage.dropHeld();
    await page.close();
  };
  const session = async () => JSON.stringify(await context.cookies());
  /** The page of the screen before, which stands as one has come to it. */
  let last: { readonly opened: Opened; readonly screen: Screen } | undefined;
  const take = async (screen: Screen, look: Look): Promise<Opened> => {
    const before = last;
    last = undefined;
    if (before && before.opened.look === look && (await leadTo(screen, before, world))) return before.opened;
    if (before) await close(before.opened);
    return await open(screen, look);
  };
  return {
    get loads() {
      return loads;
    },
    visit: async (screen, look, work) => {
      const before = last?.opened;
      const complained = before?.complaints.length ?? 0;
      const opened = await take(screen, look);
      const { page, stage } = opened;
      // What it has complained of while it was loaded counts.
      const earlier = opened === before ? complained : 0;
      const [url, signedIn] = [page.url(), await session()];
      let isAsBefore = false;
      try {
        await show(stage, screen);
        const isUntouched = (await page.evaluate(untouched)) as boolean;
        const result = await work({
          page,
          complaints: () => opened.complaints.slice(earlier).filter((text) => !screen.expected?.test(text)),
        });
        const isClosed = screen.isDialog === true && !(await page.getByRole('dialog').first().isVisible());
        isAsBefore = (isUntouched || isClosed) && !opened.isChanged && page.url() === url;
        isAsBefore &&= (await session()) === signedIn;
        return result;
      } finally {
        if (isAsBefore) last = { opened, screen };
        else await close(opened);
      }
    },
    close: () => context.close(),
  };
}

const pathOf = ({ path }: Screen, world: World) => (typeof path === 'string' ? path : path(world));

/** Whether nobody has pressed or typed anything since the page was opened. */
const untouched = `!window.firstClicked && !window.lastPress && !window.hasTyped`;

/** Comes to a screen on the page of another, if it is the same page with the same responses, or one that needs no others. */
async function leadTo(
  screen: Screen,
  { opened: { page, look, stage }, screen: before }: { readonly opened: Opened; readonly screen: Screen },
  world: World,
): Promise<boolean> {
  const parts = ['as', 'prepare', 'held', 'lost', 'random', 'stored', 'isWaiting'] as const;
  const areAlike = parts.every((part) => screen[part] === before[part]);
  const isQuiet = String(screen.expected) === String(before.expected);
  if (!areAlike || !isQuiet || screen.held) return false;
  const path = pathOf(screen, world);
  const isThere = path === pathOf(before, world);
  // What the browser has cached is not asked for again: another response would not come.
  if (!isThere && (screen.prepare || screen.lost || path === mascotPath)) return false;
  await page.evaluate(forgetScreen(look));
  // Away from what it has pressed there, which would say its name.
  await page.mouse.move(0, 0);
  if (isThere) return true;
  await page.evaluate(goTo(mascotPath));
  const mascot = page.locator('h1', { hasText: stage.words.shell('mascot.name') });
  await mascot.waitFor();
  await page.evaluate(goTo(path));
  await mascot.waitFor({ state: 'detached' });
  await page.locator('h1').first().waitFor();
  return true;
}

/** Goes to another page of the panel as its links do. */
const goTo = (
  path: string,
) => `history.pushState({ idx: (history.state?.idx ?? 0) + 1, key: crypto.randomUUID() }, '',
  ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate', { state: history.state }))`;

/** What was remembered of the screen before, and its other language. */
const forgetScreen = ({ language }: Look) => `${speak(language)};
  for (const name of ['firstClicked', 'lastPress', 'hasTyped', 'spoken']) delete window[name]`;

/** Changes the language of the panel, as another tab does. */
export const speak = (language: Look['language']) =>
  `dispatchEvent(new StorageEvent('storage', { key: 'language', newValue: '${language}' }))`;

/** Does what one does to see a screen. */
async function show(stage: Stage, { act, isWaiting = false }: Screen): Promise<void> {
  const { page } = stage;
  // Before it the shell waits for the session and the remote, under the panel's own name or none.
  if (isWaiting && !act) await page.locator('h1', { hasNotText: /^Talpa$/ }).waitFor();
  await act?.(stage);
  // Not `waitForFunction`: the page's policy allows no eval.
  await until('nothing moves', () => page.evaluate(isSettled(isWaiting)));
}

/** Whether nothing moves or waits any more, and the letters are there. */
const isSettled = (isWaiting: boolean) => `document.fonts.status === 'loaded'
  && (${isWaiting} || !document.querySelector('.ant-skeleton-active, [data-spinner]'))
  && document.getAnimations().every(({ playState, effect }) =>
    playState !== 'running' || effect?.getComputedTiming().iterations === Infinity)`;
