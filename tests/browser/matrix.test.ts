import { faultsOf, spokenOn } from '@talpa/test-kit/panel/faults';
import { allLooks, type Look, nameOf, oppositeLooks } from '@talpa/test-kit/panel/look';
import { givenNames, peopleSettings, settlePeople, type World } from '@talpa/test-kit/panel/people';
import type { Screen } from '@talpa/test-kit/panel/screen';
import { screens } from '@talpa/test-kit/panel/screens';
import { visitorNames } from '@talpa/test-kit/panel/screens/access';
import { recordWords } from '@talpa/test-kit/panel/screens/domains';
import { serverWords } from '@talpa/test-kit/panel/screens/game-ports';
import { launchVisitorsBrowser, openVisitor, type Visit } from '@talpa/test-kit/panel/visit';
import { useTalpa } from '@talpa/test-kit/system';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textParts } from '../../frontends/source-files.ts';

const system = useTalpa(peopleSettings);
/** `TALPA_SCREENS=settings,proxy-delete` takes the screens whose names contain one of these. */
const { TALPA_SCREENS: wanted = '' } = process.env;
const chosenScreens = screens.filter(({ name }) => wanted.split(',').some((part) => name.includes(part)));
if (chosenScreens.length === 0) throw new Error(`No screen has a name that contains one of ${wanted}`);
/** Every screen in two opposite looks, a repeat in one of them; `TALPA_ALL_LOOKS=1` takes all of them. */
const looksOf = (turn: number, screen: Screen) =>
  process.env.TALPA_ALL_LOOKS ? allLooks : oppositeLooks(turn, screen);
const chosen = chosenScreens
  .flatMap((screen, turn) => looksOf(turn, screen).map((look) => ({ screen, look })))
  .filter(({ screen, look }) => !screen.only || screen.only === look.width);

let browser: Browser | undefined;
let world: World | undefined;
beforeAll(async () => {
  browser = await launchVisitorsBrowser();
  world = await settlePeople(system.talpa, await system.admin());
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** What each screen says to those who do not see it, by language. */
const spoken = new Map<string, Map<string, Set<string>>>();
async function noteSpoken({ page }: Visit, { name }: Screen, { language }: Look): Promise<void> {
  const ofScreen = spoken.get(name) ?? new Map<string, Set<string>>();
  const texts = ofScreen.get(language) ?? new Set();
  for (const text of await spokenOn(page)) texts.add(text);
  spoken.set(name, ofScreen.set(language, texts));
}

/** What is wrong with all screens in a look. */
async function faultsIn(look: Look): Promise<string[]> {
  if (!browser || !world) throw new Error('not started');
  const visitor = await openVisitor(browser, { base: system.url, look, world });
  const faults: string[] = [];
  for (const { screen } of chosen.filter((one) => one.look === look)) {
    const examine = async (visit: Visit) => {
      const found = await faultsOf(visit, screen);
      await noteSpoken(visit, screen, look);
      return found;
    };
    const found = await visitor.visit(screen, examine).catch((error: unknown) => [String(error)]);
    for (const fault of found) {
      if (process.env.TALPA_TEST_VERBOSE) console.log(`${screen.name} (${nameOf(look)}): ${fault}`);
      faults.push(`${screen.name} (${nameOf(look)}): ${fault}`);
    }
  }
  await visitor.close();
  return faults;
}

describe.each([
  { theme: 'dark', accentColor: 'purple' },
  { theme: 'light', accentColor: 'yellow' },
] as const)('in $theme with $accentColor', (appearance) => {
  it('every screen is accessible by eye, ear and keyboard, fits a phone, and its browser has nothing to complain of', async () => {
    await world?.wear(appearance);
    const faults = await Promise.all(
      allLooks.filter((look) => look.theme === appearance.theme).map(faultsIn),
    );
    expect(faults.flat()).toEqual([]);
  }, 900_000);
});

/** Names are the same in both languages, and so are addresses, numbers and the texts that `texts.test.ts` lets be so. */
/** `node` is the user agent of the clients that signed in. */
const names = new Set([...givenNames, ...recordWords, ...serverWords, ...visitorNames, 'node']);
const hasWords = (text: string) => /\p{L}{2}/u.test(text) && !/^\S*[.:]\S*$/.test(text);
const equalTexts = new Set(
  (await textParts()).flatMap(({ de, en }) =>
    Object.entries(de).flatMap(([key, text]) => (en?.[key] === text ? [text] : [])),
  ),
);
const isSame = (text: string) => !hasWords(text) || names.has(text) || equalTexts.has(text);

it('says nothing in one language that it says in the other, but for names', () => {
  // What is German for administrators in both is marked as German, and not among it.
  const same = [...spoken].flatMap(([name, texts]) =>
    [...(texts.get('de') ?? [])]
      .filter((text) => texts.get('en')?.has(text) && !isSame(text))
      .map((text) => `${name}: ${text}`),
  );
  expect(same).toEqual([]);
});
