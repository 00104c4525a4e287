import { accentColors, type Language, type Preferences } from '@talpa/contracts';

type Appearance = Preferences['appearance'];
/** How the panel is looked at. */
export interface Look extends Appearance {
  readonly language: Language;
  /** Of the window, in px. */
  readonly width: 1280 | 768 | 390;
}

const themes = ['dark', 'light'] as const;
const languages = ['de', 'en'] as const;
const widths = [1280, 768, 390] as const;
const inTurn = <T>(values: readonly T[], turn: number) => values[turn % values.length] as T;

/** Every theme in every language at every width; the accents in turn. */
export const allLooks = (seed = 0): readonly Look[] =>
  themes
    .flatMap((theme) => languages.flatMap((language) => widths.map((width) => ({ theme, language, width }))))
    .map((look, turn) => ({ ...look, accentColor: inTurn(accentColors, turn + seed) }));

/** The same, as pictures are taken. */
export const pictureLooks = allLooks().map((look): Look => ({ ...look, accentColor: 'purple' }));

/**
 * A covering array: every width and theme, width and language, theme and language meet, and every accent is worn. The next
 * seed takes the other languages, the one after it other accents.
 */
export const coveringLooks = (seed: number): readonly Look[] =>
  widths.flatMap((width, row) =>
    themes.map((theme, column) => ({
      ...{ theme, width, language: inTurn(languages, row + column + seed) },
      accentColor: inTurn(accentColors, 2 * row + column + Math.floor(seed / 2)),
    })),
  );

/** The one of a run's looks in which a screen is seen, by its place among all: neighbors, which show much the same, get others. */
export const lookInRun = (looks: readonly Look[], seed: number, turn: number): Look =>
  inTurn(looks, turn + Math.floor(seed / 10));

export const nameOf = ({ theme, language, width }: Look) => `${theme}-${language}-${width}`;
