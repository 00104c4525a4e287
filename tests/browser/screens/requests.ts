import type { LoggedRequest, RequestLog } from '@talpa/contracts';
import type { Screen, Stage } from '@talpa/test-kit/panel/screen';

const path: Screen['path'] = ({ proxyIds }) => `/tunnel-configuration/${proxyIds.offline}?tab=requests`;
const log: RequestLog = { mode: 'metadata', unavailable: null, days: 14, entries: 9_472, missed: 318 };

const request = (index: number, changes: Partial<LoggedRequest> = {}): LoggedRequest => ({
  requestId: `0b9d2a3c${index.toString(16).padStart(8, '0')}-TLP`,
  at: new Date(Date.UTC(2026, 10, 23, 18, 2, 59 - index)).toISOString(),
  ...{ method: 'GET', path: '/', status: 200, duration: 23, bytesIn: 0, bytesOut: 18_310 },
  ...{ network: '203.0.113.0/24', agent: 'chrome', reason: null, rule: null },
  ...changes,
});
const requests = [
  request(1, { path: '/socket.io/', status: 101, duration: 4_310_000, bytesIn: 91_204, bytesOut: 8_120_554 }),
  request(2, {
    method: 'POST',
    path: '/login.php',
    status: 429,
    reason: 'limit_sign_in',
    agent: 'script',
  }),
  request(3, { status: 503, reason: 'no_connector', network: '2001:db8:4a3f::/48', agent: 'firefox' }),
  request(4, { path: `/resources/${'sehr-langer-name/'.repeat(28)}index.js`, agent: 'safari' }),
  request(5, { path: '/wp-login.php', status: 404, agent: 'bot' }),
  request(6, { path: '/panel.php/%D0%BA%D0%BE%D0%BD%D1%81%D0%BE%D0%BB%D1%8C', status: null, agent: 'other' }),
  request(7, { status: 502, reason: 'origin_unreachable', agent: 'edge' }),
  request(8, { method: 'OTHER', path: '/', status: 403, reason: 'access_denied', rule: 2, agent: 'script' }),
];

/** The calls get their responses here: visitors come when they like. */
async function withLog(
  stage: Stage,
  changes: Partial<RequestLog> = {},
  entries: readonly LoggedRequest[] = requests,
) {
  const { page } = stage;
  await page.route('**/api/tunnel-configs/*/request-log', (route) =>
    route.fulfill({ json: { ...log, ...changes } }),
  );
  await page.route('**/api/tunnel-configs/*/requests?*', (route) =>
    route.fulfill({ json: entries, headers: { 'x-total-count': String(entries.length) } }),
  );
}
/** Scrolls to the section. */
async function scrollTo(stage: Stage) {
  const button = stage.button(stage.words.requests('change'));
  await button.waitFor();
  await button.scrollIntoViewIfNeeded();
}

const withRequests = (stage: Stage) => withLog(stage);

/** What visitors asked of a proxy. */
export const requestScreens: readonly Screen[] = [
  {
    name: 'requests',
    as: 'host',
    path,
    prepare: withRequests,
    act: async (stage) => {
      await scrollTo(stage);
      await stage.page.getByText('/wp-login.php').first().waitFor();
    },
  },
  {
    name: 'requests-none',
    as: 'host',
    path,
    prepare: (stage) => withLog(stage, { entries: 0, missed: 0 }, []),
    act: async (stage) => {
      await scrollTo(stage);
      await stage.page.getByText(stage.words.requests('empty'), { exact: true }).waitFor();
    },
  },
  {
    name: 'requests-off',
    as: 'host',
    path,
    prepare: (stage) => withLog(stage, { mode: 'off', missed: 0 }),
    act: async (stage) => {
      await scrollTo(stage);
      await stage.page.getByText(stage.words.requests('text.off'), { exact: true }).waitFor();
    },
  },
  {
    name: 'requests-failed',
    as: 'host',
    path,
    expected: /status of 503/,
    prepare: ({ page }) =>
      page.route('**/api/tunnel-configs/*/requests?*', (route) =>
        route.fulfill({ status: 503, json: { code: 'service_unavailable', message: '' } }),
      ),
    act: async (stage) => {
      await stage.page.getByText(stage.words.requests('loadFailed'), { exact: true }).waitFor();
    },
  },
  {
    name: 'request-details',
    as: 'host',
    path,
    isDialog: true,
    prepare: withRequests,
    act: async (stage) => {
      const { requests: words } = stage.words;
      await stage.button(words('details.of', { request: 'POST /login.php' })).click();
      await stage.dialog.waitFor();
    },
  },
  {
    name: 'requests-change',
    as: 'host',
    path,
    isDialog: true,
    prepare: withRequests,
    act: async (stage) => {
      const { requests: words } = stage.words;
      await stage.press(words('change'));
      await stage.dialog.getByRole('radio', { name: words('mode.off') }).check();
    },
  },
];
