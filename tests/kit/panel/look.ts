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

/** Two looks that have nothing in common, in turn: each theme, language and width meets every screen. */
export function oppositeLooks(turn: number): readonly Look[] {
  return allLooks.filter((look) => {
    const [theme, language, width] = [look.theme === 'dark', look.language === 'de', look.width === 1280];
    return turn % 2 === 0
      ? theme === language && language === width
      : theme !== language && language === width;
  });
}

export const nameOf = ({ theme, language, width }: Look) => `${theme}-${language}-${width}`;
