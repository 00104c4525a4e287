import type { Language } from '@talpa/contracts';

export type Theme = 'dark' | 'light';
/** How the panel is looked at. */
export interface Look {
  readonly theme: Theme;
  readonly language: Language;
  /** Of the window, in px. */
  readonly width: 1280 | 768 | 390;
}

const themes = ['dark', 'light'] as const;
const languages = ['de', 'en'] as const;
const widths = [1280, 768, 390] as const;

/** Every theme in every language at every width. */
export const allLooks: readonly Look[] = themes.flatMap((theme) =>
  languages.flatMap((language) => widths.map((width) => ({ theme, language, width }))),
);

/**
 * Two looks that have nothing in common, in turn: each theme and language, a desktop and a phone meet every screen.
 * One of a list is looked at on a tablet, too; one that repeats another with other words, or waits and has none, on a
 * phone alone, where they have the least room.
 */
export function oppositeLooks(
  turn: number,
  { isList, isRepeat, held }: { readonly isList?: true; readonly isRepeat?: boolean; readonly held?: RegExp },
): readonly Look[] {
  return allLooks.filter((look) => {
    const [isDark, isGerman] = [look.theme === 'dark', look.language === 'de'];
    if (look.width === 768) return Boolean(isList) && isGerman && isDark === (turn % 2 === 0);
    const isWide = look.width === 1280;
    if ((isRepeat || held) && isWide) return false;
    return isGerman === isWide && isDark === (turn % 2 === 0 ? isGerman : !isGerman);
  });
}

export const nameOf = ({ theme, language, width }: Look) => `${theme}-${language}-${width}`;
