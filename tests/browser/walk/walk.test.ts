import { launchBrowser } from '@talpa/test-kit/browser';
import { lengthOf, patienceMs, seedOf } from '@talpa/test-kit/lengths';
import { startOpenIdProvider } from '@talpa/test-kit/openid-provider';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { useTalpa } from '@talpa/test-kit/system';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ErrandName } from './errands.ts';
import { type FormName, forms, type Place, type PlaceName } from './forms.ts';
import { report } from './report.ts';
import type { Step } from './step.ts';
import { explore, replay } from './walk.ts';
import { openStores, type Stage } from './world.ts';

const { TALPA_WALK_PATH } = process.env;
const seed = seedOf('TALPA_WALK_SEED', 1);
/** As many walks as fit into the time, at least one, each with the next seed. */
const seconds = lengthOf('TALPA_WALK_SECONDS');
const stepsEach = lengthOf('TALPA_WALK_STEPS');

const provider = await startOpenIdProvider();
const system = useTalpa(
  { SIGN_IN_PROVIDERS: JSON.stringify([provider.settings]) },
  // For passkeys.
  { isPublic: true },
);
let browser: Browser;
let stage: Stage;
beforeAll(async () => {
  browser = await launchBrowser();
  const sql = openStores(system.talpa);
  stage = { browser, talpa: system.talpa, admin: () => system.admin(), sql, patienceMs };
});
afterAll(async () => {
  await browser.close();
  await stage.sql.end();
  await provider.stop();
});

it.skipIf(TALPA_WALK_PATH)(
  'every dialog shows its own record, and what is saved is what was typed, whatever else happens',
  async () => {
    const endsAt = Date.now() + seconds * 1_000;
    const failures: string[] = [];
    const done: Record<string, number> = {};
    let [walks, steps] = [0, 0];
    do {
      const now = seed + walks;
      const walked = await explore(stage, randomFrom(now), (count) => count >= stepsEach);
      walks += 1;
      steps += walked.steps.length;
      for (const step of walked.steps) {
        const name = step.do === 'errand' ? step.what : step.do;
        done[name] = (done[name] ?? 0) + 1;
      }
      if (walked.faults.length === 0) continue;
      const failure = await report(stage, walked, now);
      // At once: what fails later must not hide it.
      console.log(failure);
      failures.push(failure);
    } while (Date.now() < endsAt);
    console.log(
      `seed ${seed}: ${walks} walks, ${steps} steps, ${failures.length} failures: ${JSON.stringify(done)}`,
    );
    expect(failures.join('\n\n')).toBe('');
  },
  600_000 + stepsEach * 2_000 + seconds * 3_000,
);

it.runIf(TALPA_WALK_PATH)('a path that failed is gone once more', async () => {
  const { faults } = await replay(stage, JSON.parse(TALPA_WALK_PATH ?? '[]') as Step[]);
  expect(faults).toEqual([]);
});

it.skipIf(TALPA_WALK_PATH)('a list shows what changed while the network was away', async () => {
  const path: readonly Step[] = [
    { do: 'go', to: { name: 'allProxies' } },
    { do: 'offline' },
    { do: 'elsewhere', record: { of: 'proxy', at: 0 }, field: 'customUrl', text: 'away' },
    { do: 'open', form: 'editProxy', at: 0 },
    { do: 'type', field: 'customUrl', text: 'typed' },
    { do: 'online' },
  ];
  const { steps, faults } = await replay(stage, path);
  expect(faults).toEqual([]);
  expect(steps).toEqual(path);
});

it.skipIf(TALPA_WALK_PATH)(
  'the bell counts what happens, and what is read in one tab is read in the other',
  async () => {
    const path: readonly Step[] = [
      { do: 'bell', mark: true },
      { do: 'elsewhere', record: { of: 'proxy', at: 0 }, field: 'reason', text: 'Spam' },
      { do: 'tab' },
      { do: 'bell', mark: false },
      { do: 'tab' },
      { do: 'bell', mark: true },
      { do: 'tab' },
      { do: 'elsewhere', record: { of: 'proxy', at: 0 }, field: 'reason', text: '' },
      { do: 'resize', width: 390 },
    ];
    const { steps, faults } = await replay(stage, path);
    expect(faults).toEqual([]);
    expect(steps).toEqual(path);
  },
);

it.skipIf(TALPA_WALK_PATH)('the focus is not lost when what had it disappears', async () => {
  const path: readonly Step[] = [
    // Another button takes the place of the one that opened the dialog.
    { do: 'go', to: { name: 'allProxies' } },
    { do: 'open', form: 'suspendProxy', at: 0 },
    { do: 'type', field: 'reason', text: 'Spam' },
    { do: 'save' },
    // Rows become cards while the dialog is open.
    { do: 'open', form: 'editProxy', at: 1 },
    { do: 'resize', width: 390 },
    { do: 'cancel', by: 'Escape' },
    // Cards become rows, and the question whether to leave had the focus last.
    { do: 'open', form: 'editProxy', at: 1 },
    { do: 'type', field: 'adminPort', text: '0' },
    { do: 'resize', width: 1280 },
    { do: 'cancel', by: 'button' },
    // A notice with the pressed button closes.
    { do: 'open', form: 'editProxy', at: 1 },
    { do: 'type', field: 'adminPort', text: '8080' },
    { do: 'elsewhere', record: { of: 'proxy', at: 1 }, field: 'serverIP', text: '10.0.0.7' },
    { do: 'decide', take: 'mine' },
    { do: 'save' },
    // Back hides the tab that holds the switch.
    { do: 'go', to: { name: 'settings', tab: 'account' } },
    { do: 'settingsTab', tab: 'notifications' },
    { do: 'type', field: 'notify.email', text: 'true' },
    { do: 'back' },
  ];
  const { steps, faults } = await replay(stage, path);
  expect(faults).toEqual([]);
  expect(steps).toEqual(path);
});

it.skipIf(TALPA_WALK_PATH)('the focus is not lost where a button works again at once', async () => {
  // Measuring the ping ends at once without a connection, and starts by itself with one.
  const path: readonly Step[] = [
    { do: 'language' },
    { do: 'resize', width: 390 },
    { do: 'offline' },
    { do: 'online' },
  ];
  const { steps, faults } = await replay(stage, path);
  expect(faults).toEqual([]);
  expect(steps).toEqual(path);
});

it.skipIf(TALPA_WALK_PATH)(
  'a form that adds begins empty each time, and adds to the record of its page',
  async () => {
    const to = (at: number): readonly Step[] => [
      { do: 'go', to: { name: 'proxies' } },
      { do: 'go', to: { name: 'proxy', at } },
      { do: 'go', to: { name: 'proxyDomains', at } },
      { do: 'open', form: 'addDomain', at },
      { do: 'type', field: 'host', text: `eins-${at}` },
    ];
    const path: readonly Step[] = [
      ...to(0),
      { do: 'cancel', by: 'button' },
      { do: 'open', form: 'addDomain', at: 0 },
      { do: 'type', field: 'host', text: 'zwei' },
      { do: 'save' },
      { do: 'open', form: 'addDomain', at: 0 },
      { do: 'cancel', by: 'Escape' },
      ...to(1),
      { do: 'save' },
    ];
    const { steps, faults } = await replay(stage, path);
    expect(faults).toEqual([]);
    expect(steps).toEqual(path);
  },
);

it.skipIf(TALPA_WALK_PATH)(
  'a member of one proxy has the token of its server only while no other proxy is on it',
  async () => {
    const errand = (what: ErrandName, at: number, more: object = {}): Step => ({
      ...{ do: 'errand', what, at, name: `s${at}-${what}`, twice: true, ...more },
    });
    const toProxies: Step = { do: 'go', to: { name: 'proxies' } };
    const toServer: Step = { do: 'go', to: { name: 'server', at: 0 } };
    const path: readonly Step[] = [
      errand('readAsMember', 1),
      errand('renameElsewhere', 0),
      errand('renameElsewhere', 1),
      errand('readAsMember', 0),
      // It is known to somebody else: nothing joins until there is another.
      errand('moveElsewhere', 1, { to: 0 }),
      toProxies,
      toServer,
      errand('newServerToken', 0),
      toProxies,
      errand('moveProxy', 1, { to: 0 }),
      errand('readAsMember', 0),
      errand('moveElsewhere', 1, { to: 1 }),
      errand('readAsMember', 0),
      toServer,
      // Its dialog makes another token first.
      errand('createOnServer', 0),
      errand('readAsMember', 0),
      errand('showServerToken', 0),
      errand('moveElsewhere', 0, { to: 1 }),
      errand('moveElsewhere', 2, { to: 1 }),
      errand('deleteServer', 0),
    ];
    const { steps, faults } = await replay(stage, path);
    expect(faults).toEqual([]);
    expect(steps).toEqual(path);
  },
);

/** The pages that lead to one. */
const ways: Readonly<Partial<Record<PlaceName, PlaceName>>> = { proxy: 'proxies', user: 'users' };

/** Opens a dialog in both tabs, saves it in the second, decides in the first, and opens it there once more. */
function inTwoTabs(form: FormName, name: PlaceName, at: number): readonly Step[] {
  const way = ways[name];
  const place: Place = way ? { name, at } : { name };
  const home: Step = { do: 'go', to: { name: 'home' } };
  const arrive: readonly Step[] = [
    ...(way ? [{ do: 'go', to: { name: way } } as const] : []),
    { do: 'go', to: place },
    { do: 'open', form, at },
  ];
  const type = (text: string): Step => ({ do: 'type', field: forms[form].fields[0] ?? '', text });
  const close: Step = { do: 'cancel', by: 'button' };
  // What is suspended or paused has another button there.
  const isOnce = /^(?:suspend|pause)/.test(form) && name !== 'user';
  return [
    ...arrive,
    type('hier'),
    { do: 'tab' },
    ...arrive,
    type(`dort-${name}`),
    { do: 'save' },
    home,
    { do: 'tab' },
    { do: 'decide', take: 'theirs' },
    close,
    ...(isOnce ? [] : [{ do: 'open', form, at } as const, close]),
    home,
  ];
}

it.skipIf(TALPA_WALK_PATH)(
  'every dialog shows what was saved with the same dialog in another tab, and shows it when opened again',
  async () => {
    const names = (Object.keys(forms) as FormName[]).filter((form) => forms[form].of !== null);
    // Two pages of one dialog have a record each: what is suspended is not suspended again.
    const path = names.flatMap((form) =>
      forms[form].on.flatMap((name, index) => inTwoTabs(form, name, index % 2)),
    );
    const { steps, faults } = await replay(stage, path);
    expect(faults).toEqual([]);
    expect(steps).toEqual(path);
  },
  // Each of all dialogs, one after the other.
  600_000,
);
