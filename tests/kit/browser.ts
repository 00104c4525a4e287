import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { addFailureReport } from './failure-report.ts';
import { findBrowser } from './find-browser.ts';
import { patienceMs } from './lengths.ts';
import { watchPage } from './page-report.ts';
import { newProfile, type Profile, takeProfile } from './profiles.ts';
import { until } from './wait.ts';

/** Quiet, as root too, and without a word to anybody outside. */
const switches = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The pages of a profile share one process.
  '--renderer-process-limit=1',
];
/** A page lives for seconds: compiling its code better, or collecting what it leaves, costs more processor time than it saves. */
const briefEngine = ['--no-opt', '--no-maglev', '--min-semi-space-size=64', '--max-semi-space-size=64'];

/** A page in a profile without cookies and storage, and everything its browser complained about. */
export interface TestPage {
  readonly page: Page;
  /** Console errors and warnings, uncaught exceptions, violations of the content policy, requests to elsewhere. */
  readonly complaints: string[];
}

export interface OpenOptions extends BrowserContextOptions {
  /** Nothing of the panel is in the browser's cache. */
  readonly isFirstVisit?: boolean;
  /** Each response comes so much later, as on a slow network: what depends on the order of responses shows. */
  readonly latencyMs?: number;
}

export interface TestBrowser {
  /** Opens a page without motion whose relative addresses are below `base`; it is closed with the test that opened it. */
  open(base: string, options?: OpenOptions): Promise<TestPage>;
}

/** Starts Debian's Chromium with further switches, and flags of its JavaScript engine; the caller closes it. */
export async function launchBrowser(
  more: readonly string[] = [],
  engine: readonly string[] = briefEngine,
): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('no Chromium is installed');
  const args = [...switches, `--js-flags=${engine.join(' ')}`, ...more];
  return await chromium.launch({ executablePath, args });
}

/**
 * Starts Debian's Chromium before a file's tests and closes it after them.
 * @param engine flags of its JavaScript engine; none where a page computes for seconds
 */
export function useBrowser(engine?: readonly string[]): TestBrowser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchBrowser([], engine);
  });
  afterAll(() => browser?.close());
  return ofBrowser(() => browser);
}

/** The browser that files share, in this worker; it ends with the worker. */
let shared: Browser | undefined;

/** The same, once for all files of the project `sharing` in a worker. One that has crashed is started again. */
export function useSharedBrowser(): TestBrowser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (!shared?.isConnected()) shared = await launchBrowser();
    browser = shared;
  });
  return ofBrowser(() => browser);
}

function ofBrowser(started: () => Browser | undefined): TestBrowser {
  return {
    open: async (base, { isFirstVisit = false, latencyMs, ...options } = {}) => {
      const browser = started();
      if (!browser) throw new Error('the browser has not been started');
      const profile = await (isFirstVisit ? newProfile : takeProfile)(browser, {
        baseURL: base,
        locale: 'de-DE',
        viewport: { width: 1280, height: 800 },
        // What moves is not stable to press, and every frame of it is drawn by the processor.
        reducedMotion: 'reduce',
        ...options,
      });
      profile.context.setDefaultTimeout(patienceMs);
      const page = await profile.context.newPage();
      if (latencyMs !== undefined) {
        const network = await profile.context.newCDPSession(page);
        const speed = { offline: false, downloadThroughput: -1, uploadThroughput: -1 };
        await network.send('Network.emulateNetworkConditions', { ...speed, latency: latencyMs });
      }
      closeAfterTest(page, profile);
      return { page, complaints: await complaintsOf(page, base) };
    },
  };
}

/**
 * Closes a page at the end of the running test, so that it does not slow down the tests after it: open pages
 * follow the server. Of a failed test it reports the page. A page that a hook opens is open until the browser ends.
 */
function closeAfterTest(page: Page, profile: Profile): void {
  const report = watchPage(page);
  try {
    onTestFinished(async (test) => {
      if (test.task.result?.state === 'fail') addFailureReport(test, await report());
      else if (!page.isClosed()) await until('an end of each button’s waiting', () => isAtRest(page));
      await profile.giveBack();
    });
  } catch {
    // Vitest knows of no running test in a hook.
  }
}

/** Whether no button says that something is under way: what has failed must be possible once more. */
const isAtRest = async (page: Page) => (await page.locator('.ant-btn-loading:visible').count()) === 0;

/** Collects what the browser complains about on a page, as long as it is open. */
export async function complaintsOf(page: Page, base: string): Promise<string[]> {
  const complaints: string[] = [];
  // Of what the tests themselves run in every frame, also in one that runs nothing: the preview of an email.
  const isOurs = (text: string) => text.startsWith("Blocked script execution in 'about:srcdoc'");
  page.on('console', (message) => {
    if (isOurs(message.text())) return;
    if (/^(error|warning|assert)$/.test(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    const isOurs = request.url().startsWith(base) || /^(data|blob):/.test(request.url());
    if (!isOurs) complaints.push(`request to elsewhere: ${request.url()}`);
  });
  await page.exposeFunction('reportViolation', (text: string) => complaints.push(`policy: ${text}`));
  await page.addInitScript({
    content: `addEventListener('securitypolicyviolation', (event) =>
      reportViolation(event.violatedDirective + ' ' + event.blockedURI));`,
  });
  return complaints;
}
