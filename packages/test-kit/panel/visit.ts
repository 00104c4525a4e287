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

/** Starts a browser for visitors; the caller closes it. The pages of a visitor share one process. */
export const launchVisitorsBrowser = () => launchBrowser(['--renderer-process-limit=1']);

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
  const open = async (screen: Screen) => {
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
    return { page, stage, complaints: () => complaints.filter((text) => !screen.expected?.test(text)) };
  };
  return {
    visit: async (screen, work) => {
      const visit = await open(screen);
      try {
        await show(visit.stage, screen);
        return await work(visit);
      } finally {
        await visit.stage.dropHeld();
        await visit.page.close();
      }
    },
    close: () => context.close(),
  };
}

/** Goes to a screen and does what one does to see it. */
async function show(stage: Stage, { path, act, isWaiting = false }: Screen): Promise<void> {
  const { page, world } = stage;
  await page.goto(typeof path === 'string' ? path : path(world));
  await page.locator('h1').first().waitFor();
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
