import type { Language } from '@talpa/contracts';

export type Theme = 'dark' | 'light';
/** How the panel is looked at. */
export interface Look {
  readonly theme: Theme;
  readonly language: Language;
  /** Of the window, in px. */
  readonly width: 1280 | 390;
}

const themes = ['dark', 'light'] as const;
const languages = ['de', 'en'] as const;
const widths = [1280, 390] as const;

/** Every theme in every language at every width. */
export const allLooks: readonly Look[] = themes.flatMap((theme) =>
  languages.flatMap((language) => widths.map((width) => ({ theme, language, width }))),
);

/** Half of them, in which each two of theme, language and width still meet. */
export const pairedLooks = allLooks.filter(
  ({ theme, language, width }) =>
    [theme === 'dark', language === 'de', width === 1280].filter(Boolean).length % 2 === 1,
);

export const nameOf = ({ theme, language, width }: Look) => `${theme}-${language}-${width}`;
