import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Look, nameOf, pictureLooks } from '@talpa/test-kit/panel/look';
import type { World } from '@talpa/test-kit/panel/people';
import type { Screen } from '@talpa/test-kit/panel/screen';
import { openVisitor } from '@talpa/test-kit/panel/visit';
import type { Browser, Page } from 'playwright-core';
import { screens } from './screens.ts';

export interface PictureOptions {
  readonly browser: Browser;
  readonly base: string;
  readonly world: World;
  /** Where the files go; it exists. */
  readonly folder: string;
  /** Parts of screens' names, or parts of a look (`dark`, `en`, `390`); empty: everything. */
  readonly wanted: readonly string[];
  readonly log: (line: string) => void;
}

export interface Pictures {
  readonly taken: number;
  /** Screens that could not be reached, and why. */
  readonly failed: readonly string[];
}

/** Takes a picture of each wanted screen in each wanted look, and writes the sheet that shows them all. */
export async function takePictures(options: PictureOptions): Promise<Pictures> {
  const { looks, chosen } = choose(options.wanted);
  const failed: string[] = [];
  let taken = 0;
  for (const theme of ['dark', 'light'] as const) {
    const now = looks.filter((look) => look.theme === theme);
    if (now.length === 0) continue;
    await Promise.all(
      now.map(async (look) => {
        const shown = chosen.filter(({ only }) => !only || only === look.width);
        taken += shown.length;
        failed.push(...(await takeAll(options, look, shown)));
      }),
    );
    options.log(`${taken - failed.length} pictures are taken`);
  }
  writeSheet(options.folder, looks, chosen);
  return { taken: taken - failed.length, failed };
}

/** A word that names something of a look chooses looks, any other one screens. */
function choose(wanted: readonly string[]) {
  const features = new Set(pictureLooks.flatMap((look) => nameOf(look).split('-')));
  const ofLook = wanted.filter((word) => features.has(word));
  const ofScreen = wanted.filter((word) => !features.has(word));
  // Of `dark light en`: any of the themes, in English.
  const fits = (look: Look) =>
    [
      ['dark', 'light'],
      ['de', 'en'],
      ['1280', '768', '390'],
    ].every((kinds) => {
      const asked = ofLook.filter((word) => kinds.includes(word));
      return asked.length === 0 || asked.some((word) => nameOf(look).split('-').includes(word));
    });
  return {
    looks: pictureLooks.filter(fits),
    chosen: screens.filter(
      ({ name }) => ofScreen.length === 0 || ofScreen.some((word) => name.includes(word)),
    ),
  };
}

async function takeAll(
  { browser, base, world, folder }: PictureOptions,
  look: Look,
  shown: readonly Screen[],
): Promise<string[]> {
  const failed: string[] = [];
  const visitor = await openVisitor(browser, { base, world });
  for (const screen of shown)
    try {
      await visitor.visit(screen, look, ({ page }) => takeWhole(page, fileOf(folder, screen, look)));
    } catch (error) {
      failed.push(`${screen.name} (${nameOf(look)}): ${String(error).split('\n').slice(0, 3).join(' ')}`);
    }
  await visitor.close();
  return failed;
}

/** The README's pictures: its language, both themes. */
const forReadme = [
  { screen: 'proxies', file: 'proxies.png', theme: 'dark' },
  { screen: 'proxy-page-connected', file: 'proxy.png', theme: 'light' },
  { screen: 'proxy-install-offline', file: 'install.png', theme: 'dark' },
] as const;

/** Takes the README's pictures anew. */
export async function takeReadmePictures({
  browser,
  base,
  world,
  folder,
}: Omit<PictureOptions, 'wanted' | 'log'>): Promise<Pictures> {
  for (const { screen: name, file, theme } of forReadme) {
    const screen = screens.find((one) => one.name === name);
    if (!screen) throw new Error(`there is no screen ${name}`);
    const visitor = await openVisitor(browser, { base, world });
    const look = { theme, language: 'en', width: 1280, accentColor: 'purple' } as const;
    await visitor.visit(screen, look, ({ page }) => page.screenshot({ path: join(folder, file) }));
    await visitor.close();
  }
  return { taken: forReadme.length, failed: [] };
}

const fileOf = (folder: string, screen: Screen, look: Look) =>
  join(folder, `${screen.name}.${nameOf(look)}.png`);

/** A picture of all of a page, or of all of the dialog on it. */
export async function takeWhole(page: Page, path: string): Promise<void> {
  const { width = 1280, height = 800 } = page.viewportSize() ?? {};
  // Of a dialog that scrolls inside, with the room it then takes above itself.
  const needed = (await page.evaluate(`Math.max(document.documentElement.scrollHeight,
    ...[...document.querySelectorAll('.ant-modal-body')]
      .map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
      .map((hidden) => hidden > 0 ? innerHeight + hidden + 120 : 0))`)) as number;
  if (needed > height) await page.setViewportSize({ width, height: Math.min(needed, 4_000) });
  await page.screenshot({ path });
}

/** One page to look at all pictures: a row for each screen, a column for each look. */
function writeSheet(folder: string, looks: readonly Look[], chosen: readonly Screen[]): void {
  const picture = ({ name }: Screen, look: Look) => {
    const file = `${name}.${nameOf(look)}.png`;
    return `<a href="${file}"><img loading="lazy" src="${file}" alt="${name}, ${nameOf(look)}" width="${look.width * 0.4}"></a>`;
  };
  const rows = chosen.map((screen) => {
    const shown = looks.filter(({ width }) => !screen.only || screen.only === width);
    return `<h2 id="${screen.name}">${screen.name}</h2><p>${shown.map((look) => picture(screen, look)).join('')}</p>`;
  });
  const links = chosen.map(({ name }) => `<a href="#${name}">${name}</a>`).join(' ');
  const style =
    'body{font:14px system-ui;margin:24px;background:#777}a{color:#fff}p{display:flex;gap:12px;align-items:flex-start;overflow-x:auto}img{display:block;max-height:700px;object-fit:cover;object-position:top}h2{margin:32px 0 8px}';
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Talpa: all screens</title><style>${style}</style><nav>${links}</nav>${rows.join('\n')}`,
  );
}
