import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** A profile of a browser, without cookies and storage. */
export interface Profile {
  readonly context: BrowserContext;
  /** Closes its pages; somebody else gets it as it was, or nobody. */
  giveBack(): Promise<void>;
}

interface Kept {
  readonly context: BrowserContext;
  /** As long as it is open the process stays that has the panel's code compiled: loading the panel takes a third less processor time. */
  readonly keeper: Page;
  /** Whether something has been done to it that cannot be taken back. */
  isSpoilt: boolean;
}

/** Those that nobody has, by browser and by what they were opened with. */
const idle = new WeakMap<Browser, Map<string, Kept[]>>();
const mostIdle = 3;

/** What stays with a profile, whatever is closed. */
const spoiling = [
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'newCDPSession',
  'route',
  'setExtraHTTPHeaders',
  'setGeolocation',
] as const satisfies readonly (keyof BrowserContext)[];
const spoilingClock = ['install', 'setFixedTime', 'setSystemTime', 'pauseAt'] as const;

type Options = BrowserContextOptions & { readonly baseURL: string };

/** A profile that nobody has had, or will have. */
export async function newProfile(browser: Browser, options: Options): Promise<Profile> {
  const context = await browser.newContext(options);
  return { context, giveBack: () => context.close() };
}

/** A profile for pages of one origin, one that was given back where there is one. */
export async function takeProfile(browser: Browser, options: Options): Promise<Profile> {
  const ofBrowser = idle.get(browser) ?? new Map<string, Kept[]>();
  idle.set(browser, ofBrowser);
  const key = JSON.stringify(options);
  const others = ofBrowser.get(key) ?? [];
  ofBrowser.set(key, others);
  const kept = others.pop() ?? (await keepProfile(browser, options));
  const { context } = kept;
  return {
    context,
    giveBack: async () => {
      if (!kept.isSpoilt && others.length < mostIdle && (await clear(kept))) others.push(kept);
      else await context.close();
    },
  };
}

async function keepProfile(browser: Browser, options: Options): Promise<Kept> {
  const context = await browser.newContext(options);
  const keeper = await context.newPage();
  const kept: Kept = { context, keeper, isSpoilt: false };
  // What answers there may be no panel: then the profile serves once.
  const shown = await keeper.goto('/mole.svg').catch(() => null);
  kept.isSpoilt = shown?.status() !== 200;
  const spoil = (object: object, names: readonly string[]) => {
    for (const name of names) {
      const work = Reflect.get(object, name) as (...given: unknown[]) => unknown;
      Reflect.set(object, name, (...given: unknown[]) => {
        kept.isSpoilt = true;
        return work.apply(object, given);
      });
    }
  };
  spoil(context, spoiling);
  spoil(context.clock, spoilingClock);
  context.on('close', () => {
    kept.isSpoilt = true;
  });
  // The keeper reaches the storage of its own origin alone.
  const { origin } = new URL(options.baseURL);
  context.on('page', (page) =>
    page.on('framenavigated', (frame) => {
      const url = frame.url();
      if (!url.startsWith(`${origin}/`) && !/^(about|chrome-error):/.test(url)) kept.isSpoilt = true;
    }),
  );
  return kept;
}

/** @returns whether it is as it was when it was new */
async function clear({ context, keeper }: Kept): Promise<boolean> {
  try {
    await Promise.all(context.pages().map((page) => (page === keeper ? undefined : page.close())));
    await Promise.all([
      context.clearCookies(),
      context.setOffline(false),
      keeper.evaluate('localStorage.clear(); sessionStorage.clear()'),
    ]);
    return true;
  } catch {
    return false;
  }
}
