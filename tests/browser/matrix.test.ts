import { type Language, plans } from '@talpa/contracts';
import { counted } from '@talpa/instance/counted';
import { launchBrowser } from '@talpa/test-kit/browser';
import { isLong, seedOf } from '@talpa/test-kit/lengths';
import { type Checks, faultsOf, returnFaultsOn, sidewaysOn, spokenOn } from '@talpa/test-kit/panel/faults';
import { allLooks, coveringLooks, type Look, lookInRun, nameOf } from '@talpa/test-kit/panel/look';
import { givenNames, peopleSettings, settlePeople, type World } from '@talpa/test-kit/panel/people';
import type { Screen } from '@talpa/test-kit/panel/screen';
import { movedButtonsOn } from '@talpa/test-kit/panel/still-buttons';
import { openVisitor, type ShownScreen } from '@talpa/test-kit/panel/visit';
import { useTalpa } from '@talpa/test-kit/system';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { textParts } from '../../frontends/source-files.ts';
import { visitorNames } from './screens/access.ts';
import { recordWords } from './screens/domains.ts';
import { serverWords } from './screens/game-ports.ts';
import { screens } from './screens/screens.ts';

const system = useTalpa(peopleSettings);
/** `TALPA_SCREENS=settings,proxy-delete` takes the screens whose names contain one of these, `all` every one. */
const { TALPA_SCREENS: wanted = isLong ? 'all' : null } = process.env;
const seed = seedOf('TALPA_LOOKS_SEED', 0);
const looks = isLong ? allLooks(seed) : coveringLooks(seed);

interface Planned {
  readonly screen: Screen;
  readonly look: Look;
  readonly checks: Checks;
}

/** The pages: screens of one get the same look, and can follow each other without loading it anew. */
const pageOf = ({ as, path }: Screen) => `${as} ${path}`;
const pages = [...new Set(screens.map(pageOf))];

function choose(): Screen[] {
  if (wanted === 'all') return [...screens];
  // Unasked each page in a third of its states, at least in one, as the seed has it.
  if (wanted === null)
    return [...Map.groupBy(screens, pageOf).values()].flatMap((states, turn) => {
      const every = Math.min(3, states.length);
      return states.filter((_state, at) => at % every === (seed + turn) % every);
    });
  const named = screens.filter(({ name }) => wanted.split(',').some((part) => name.includes(part)));
  if (named.length === 0) throw new Error(`No screen has a name that contains one of ${wanted}`);
  return named;
}
const chosenScreens = choose();

/** In which looks a screen is seen, and what is looked for there: in the one that the seed chooses everything. */
function plan(screen: Screen): Planned[] {
  const turn = pages.indexOf(pageOf(screen));
  const fitting = looks.filter(({ width }) => !screen.only || screen.only === width);
  if (!isLong)
    return [{ screen, look: lookInRun(fitting, seed, turn), checks: { axe: true, keyboard: true } }];
  // Axe meets each theme once, the keyboard each width in each language.
  const half = fitting.length / 2;
  return fitting.map((look, index) => {
    const [row, column] = [Math.floor(index / half), index % half];
    const [axe, keyboard] = [column === turn % half, (row + column + turn) % 2 === 0];
    return { screen, look, checks: { axe, keyboard } };
  });
}

const preparations = [...new Set(screens.map(({ prepare }) => prepare))];
/** Those of one page with the same responses in one look together, first what leaves it as it was. */
const orderOf = ({ look, screen: { as, path, act, isDialog, prepare } }: Planned) =>
  [looks.indexOf(look) + 10, as, path, preparations.indexOf(prepare) + 100, act && !isDialog ? 2 : 1].join();
const planned = chosenScreens.flatMap(plan).sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));

let browser: Browser | undefined;
let world: World | undefined;
beforeAll(async () => {
  browser = await launchBrowser();
  world = await settlePeople(system.talpa, await system.admin());
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** What each screen says to those who do not see it, by language. */
const spoken = new Map<string, Record<Language, readonly string[]>>();
async function examine(
  { page, complaints }: ShownScreen,
  { screen, look, checks }: Planned,
): Promise<string[]> {
  const faults = [...(await movedButtonsOn(page)), ...(await faultsOf(page, screen, checks))];
  const { de, en } = await spokenOn(page, look);
  // It speaks the other language now: its words may need more room.
  faults.push(...(await sidewaysOn(page)).map((fault) => `${fault}, in the other language`));
  const before = spoken.get(screen.name);
  spoken.set(screen.name, { de: [...(before?.de ?? []), ...de], en: [...(before?.en ?? []), ...en] });
  if (screen.isDialog) faults.push(...(await returnFaultsOn(page)));
  return [...faults, ...complaints()];
}

/** What is wrong with screens, one after the other. */
async function faultsIn(list: readonly Planned[]): Promise<string[]> {
  if (!browser || !world) throw new Error('not started');
  const visitor = await openVisitor(browser, { base: system.url, world });
  const faults: string[] = [];
  for (const one of list) {
    const { screen, look } = one;
    const found = await visitor
      .visit(screen, look, (visit) => examine(visit, one))
      .catch((error: unknown) => [String(error)]);
    for (const fault of found) {
      const line = `${screen.name} (${nameOf(look)}, ${look.accentColor}): ${fault}`;
      if (process.env.TALPA_TEST_VERBOSE) console.log(line);
      faults.push(line);
    }
  }
  console.log(`${counted(list.length, 'visit')}, the panel loaded ${counted(visitor.loads, 'time')}`);
  await visitor.close();
  return faults;
}

it(
  'every screen is accessible by eye, ear and keyboard, fits its window, and its browser has nothing to complain of',
  async () => {
    console.log(`looks of TALPA_LOOKS_SEED=${seed}`);
    // Somebody wears one appearance at a time.
    const lanes = [
      planned.filter(({ screen }) => screen.as === 'host'),
      planned.filter(({ screen }) => screen.as === 'admin'),
      planned.filter(({ screen }) => screen.as !== 'host' && screen.as !== 'admin'),
    ];
    expect((await Promise.all(lanes.map(faultsIn))).flat()).toEqual([]);
  },
  120_000 + 10_000 * planned.length,
);

/** Names are the same in both languages, and so are addresses, numbers and the texts that `texts.test.ts` lets be so. */
/** `node` is the user agent of the clients that signed in. */
const planNames = plans.map(({ name }) => name);
const names = new Set([
  ...[...givenNames, ...planNames],
  ...[...recordWords, ...serverWords, ...visitorNames, 'node'],
]);
const hasWords = (text: string) => /\p{L}{2}/u.test(text) && !/^\S*[.:]\S*$/.test(text);
const equalTexts = new Set(
  (await textParts()).flatMap(({ de, en }) =>
    Object.entries(de).flatMap(([key, text]) => (en?.[key] === text ? [text] : [])),
  ),
);
const isSamePart = (text: string) => !hasWords(text) || names.has(text) || equalTexts.has(text);
/** An action names what it is done to: “Upgrade: Premium”. */
const isSame = (text: string) => isSamePart(text) || text.split(': ').every(isSamePart);

it('says nothing in one language that it says in the other, but for names', () => {
  // What is German for administrators in both is marked as German, and not among it.
  const same = [...spoken].flatMap(([name, { de, en }]) =>
    [...new Set(de)].filter((text) => en.includes(text) && !isSame(text)).map((text) => `${name}: ${text}`),
  );
  expect(same).toEqual([]);
  expect(spoken.size).toBe(chosenScreens.length);
});
