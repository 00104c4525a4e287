import type { CustomDomain, CustomDomains } from '@talpa/contracts';
import { errors } from '@talpa/contracts/errors';
import type { Screen, Stage } from '@talpa/test-kit/panel/screen';
import { fillText } from '../../../packages/panel-kit/core/texts/fill-text.ts';

const path: Screen['path'] = ({ proxyIds }) => `/tunnel-configuration/${proxyIds.offline}?tab=domains`;
const target = 'suedstadt.tunnel.example.net';
const challenge = 'q0T5pPZk1Y7zB3nV9sXcW2uRf8LdE6aJ';
/** What a name server's settings call them, in every language; and the value that is to be copied. */
export const recordWords: readonly string[] = ['TXT', 'CNAME', challenge];
const domainOf = (id: number, host: string, state: Partial<CustomDomain>): CustomDomain => ({
  ...{ id, host, state: 'pending', problem: null, createdAt: '2026-11-20T17:42:00.000Z' },
  ...{ checkedAt: '2026-11-21T08:15:00.000Z', verifiedAt: null, servedUntil: null },
  records: [
    { type: 'TXT', name: `_talpa-challenge.${host}`, value: challenge },
    { type: 'CNAME', name: host, value: target },
  ],
  ...state,
});
const verifiedAt = '2026-11-20T18:02:00.000Z';
const taken = 'panel.example.org';
const long = 'admin.vice-city-streetrace-und-drift-community-deutschland.example.org';
const domains: readonly CustomDomain[] = [
  domainOf(1, 'panel.suedstadt-rp.example.com', { state: 'verified', verifiedAt }),
  domainOf(2, long, { problem: 'challenge_missing' }),
  domainOf(3, 'alt.example.org', {
    ...{ state: 'failed', problem: 'target_wrong', verifiedAt, servedUntil: '2099-11-23T18:02:00.000Z' },
  }),
  domainOf(4, 'verloren.example.org', { state: 'failed', problem: 'dns_unavailable', verifiedAt }),
];
const all: CustomDomains = { domains: [...domains], limit: 5, used: 4, available: true };

/** The calls get their responses here: no name server of a test knows these domains. */
const withDomains = (stage: Stage, changes: Partial<CustomDomains> = {}) =>
  stage.page.route('**/api/tunnel-configs/*/domains', (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ json: { ...all, ...changes } })
      : route.fulfill({
          status: 409,
          json: {
            code: 'domain_taken',
            message: fillText(errors.domain_taken[stage.look.language], { domain: taken }),
            requestId: 'r1',
          },
        }),
  );
/** Scrolls to the section. */
async function scrollTo(stage: Stage) {
  const button = stage.button(stage.words.domains('add'));
  await button.waitFor();
  await button.scrollIntoViewIfNeeded();
}
const withAll = (stage: Stage) => withDomains(stage);
async function openForm(stage: Stage) {
  await stage.press(stage.words.domains('add'));
  await stage.dialog.waitFor();
}

/** The custom domains of a proxy. */
export const domainScreens: readonly Screen[] = [
  { name: 'domains', as: 'host', path, prepare: withAll, act: scrollTo },
  {
    name: 'domains-none',
    as: 'host',
    path,
    prepare: (stage) => withDomains(stage, { domains: [], used: 0 }),
    act: async (stage) => {
      await scrollTo(stage);
      await stage.page.getByText(stage.words.domains('empty')).waitFor();
    },
  },
  {
    name: 'domains-without-plan',
    as: 'host',
    path,
    prepare: (stage) => withDomains(stage, { domains: [], used: 0, limit: 0 }),
    act: scrollTo,
  },
  {
    name: 'domains-failed',
    as: 'host',
    path,
    lost: /\/domains$/,
    expected: /ERR_FAILED/,
    act: ({ page, words }) => page.getByText(words.domains('failed')).waitFor(),
  },
  { name: 'domain-add', as: 'host', path, isDialog: true, prepare: withAll, act: openForm },
  {
    name: 'domain-add-refused',
    as: 'host',
    path,
    isDialog: true,
    prepare: withAll,
    expected: /status of 409/,
    act: async (stage) => {
      const { domains: words } = stage.words;
      await openForm(stage);
      await stage.dialog.getByLabel(words('add.host'), { exact: true }).fill(taken);
      await stage.pressInDialog(words('add'));
      await stage.dialog.getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'domain-remove',
    as: 'host',
    path,
    isDialog: true,
    prepare: withAll,
    act: async (stage) => {
      await stage.press(stage.words.domains('remove.of', { host: long }));
      await stage.dialog.waitFor();
    },
  },
];
