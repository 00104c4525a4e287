import type { Browser, Page } from 'playwright-core';
import { complaintsOf, launchBrowser } from '../browser.ts';
import { until } from '../wait.ts';
import type { Look } from './look.ts';
import type { World } from './people.ts';
import { type Screen, Stage } from './screen.ts';

/** A screen as it stands before one, and what its browser has complained about so far, but for what it expects. */
export interface Visit {
  readonly page: Page;
  readonly complaints: () => string[];
}

/** Opens screens in one look, one after another; what the browser has loaded it keeps. */
export interface Visitor {
  visit<T>(screen: Screen, work: (visit: Visit) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const height = { 1280: 800, 768: 1024, 390: 844 } as const;
const patienceMs = 30_000;

/**
 * Starts a browser for visitors; the caller closes it. The pages of a visitor share one process; with a large young
 * generation it collects so much less that a visit takes 5 % less processor time.
 */
export const launchVisitorsBrowser = () =>
  launchBrowser(['--renderer-process-limit=1'], ['--min-semi-space-size=64', '--max-semi-space-size=64']);

/** A page with what belongs to it. */
interface Opened {
  readonly page: Page;
  readonly stage: Stage;
  readonly complaints: readonly string[];
  /** Whether calls got other responses after it was opened. */
  isChanged: boolean;
}

/** @param world what it shows, wearing the look's theme */
export async function openVisitor(
  browser: Browser,
  { base, look, world }: { readonly base: string; readonly look: Look; readonly world: World },
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: base,
    locale: 'de-DE',
    viewport: { width: look.width, height: height[look.width] },
    // Colors in the middle of a transition would be judged.
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(patienceMs);
  // As long as it is open the process stays, with the panel's code compiled: a visit takes a quarter less time.
  const first = await context.newPage();
  await first.goto('/mole.svg');
  const open = async (screen: Screen): Promise<Opened> => {
    await context.clearCookies();
    if (screen.as) {
      const [name = '', value = ''] = world.clients[screen.as].cookie.split('=');
      await context.addCookies([{ name, value, url: base }]);
    }
    const page = await context.newPage();
    const complaints = await complaintsOf(page, base);
    const { theme, accentColor } = world.appearance;
    const stored = {
      language: look.language,
      appearance: `${theme} ${accentColor}`,
      // There the open sidebar leaves the least room.
      ...(look.width === 768 ? { 'sidebar-state': 'expanded' } : {}),
      ...screen.stored,
    };
    await page.addInitScript(`localStorage.clear(); Object.assign(localStorage, ${JSON.stringify(stored)});
      addEventListener('click', ({ target }) => window.firstClicked ??= target.closest('button, a'), true);
      addEventListener('pointerdown', ({ clientX, clientY, target }) => {
        window.lastPress = { at: [clientX, clientY], button: target.closest('button') };
      }, true);`);
    if (screen.random !== undefined) await page.addInitScript(`Math.random = () => ${screen.random}`);
    const stage = new Stage(page, look, world);
    if (screen.held) await stage.hold(screen.held);
    if (screen.lost) await page.route(screen.lost, (route) => route.abort());
    await screen.prepare?.(stage);
    await page.goto(pathOf(screen, world));
    await page.locator('h1').first().waitFor();
    const opened: Opened = { page, stage, complaints, isChanged: false };
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
  /** The page of the screen before: a dialog that was closed there. */
  let last: { readonly opened: Opened; readonly screen: Screen } | undefined;
  const take = async (screen: Screen): Promise<Opened> => {
    const before = last;
    last = undefined;
    if (before && follows(screen, before.screen, world)) {
      await before.opened.page.evaluate(forgetScreen);
      return before.opened;
    }
    if (before) await close(before.opened);
    return await open(screen);
  };
  return {
    visit: async (screen, work) => {
      const opened = await take(screen);
      const { page, stage } = opened;
      const [earlier, url] = [opened.complaints.length, page.url()];
      let isAsBefore = false;
      try {
        await show(stage, screen);
        const result = await work({
          page,
          complaints: () => opened.complaints.slice(earlier).filter((text) => !screen.expected?.test(text)),
        });
        const isClosed = screen.isDialog === true && !(await page.getByRole('dialog').first().isVisible());
        isAsBefore = isClosed && !opened.isChanged && page.url() === url;
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

/** Whether a screen can be seen on the page on which the dialog of another was closed: the page is the same, with the same responses. */
function follows(screen: Screen, before: Screen, world: World): boolean {
  const parts = ['as', 'prepare', 'held', 'lost', 'random', 'stored', 'isWaiting'] as const;
  const areAlike = parts.every((part) => screen[part] === before[part]);
  const isQuiet = String(screen.expected) === String(before.expected);
  return areAlike && isQuiet && !screen.held && pathOf(screen, world) === pathOf(before, world);
}

/** What was noted of the screen before. */
const forgetScreen = `for (const name of ['firstClicked', 'lastPress', 'spoken']) delete window[name]`;

/** Does what one does to see a screen. */
async function show(stage: Stage, { act, isWaiting = false }: Screen): Promise<void> {
  const { page } = stage;
  // Before it the shell waits for the session and the remote, under the panel's own name or none.
  if (isWaiting && !act) await page.locator('h1', { hasNotText: /^Talpa$/ }).waitFor();
  await act?.(stage);
  // Not `waitForFunction`: the page's policy allows no eval.
  await until('nothing moves', () => page.evaluate(isSettled(isWaiting)), patienceMs);
}

/** Whether nothing moves or waits any more, and the letters are there. */
const isSettled = (isWaiting: boolean) => `document.fonts.status === 'loaded'
  && (${isWaiting} || !document.querySelector('.ant-skeleton-active, [data-spinner]'))
  && document.getAnimations().every(({ playState, effect }) =>
    playState !== 'running' || effect?.getComputedTiming().iterations === Infinity)`;
