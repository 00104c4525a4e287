import { type AccentColor, type Appearance, accentHues } from '../core/accents.ts';
import { contrast, type Hsl, hexOf, legibleOn } from './color.ts';

/** What text must have on its background, with some room for tinted backgrounds. */
const textContrast = 5.4;
const fillContrast = 4.5;

/** The neutral colors of a theme. */
export interface Neutrals {
  readonly page: string;
  readonly surface: string;
  readonly raised: string;
  /** Behind the text of a control that is disabled. */
  readonly disabled: string;
  readonly border: string;
  readonly borderSoft: string;
  /** The outline of a box to tick. */
  readonly control: string;
  readonly text: string;
  readonly textSoft: string;
  readonly textFaint: string;
}

export const neutrals: Readonly<Record<Appearance['theme'], Neutrals>> = {
  dark: {
    page: '#0d0d11',
    surface: '#15151b',
    raised: '#1c1c24',
    disabled: '#20202a',
    border: '#32323d',
    borderSoft: '#25252e',
    control: '#6e6e7c',
    text: '#f1f1f5',
    textSoft: '#b3b3c0',
    textFaint: '#8f8f9d',
  },
  light: {
    page: '#f6f6f9',
    surface: '#ffffff',
    raised: '#ffffff',
    disabled: '#f1f1f5',
    border: '#d9d9e2',
    borderSoft: '#e7e7ee',
    control: '#8a8a98',
    text: '#17171d',
    textSoft: '#52525f',
    textFaint: '#686876',
  },
};

/**
 * What informs, went wrong, well, or needs care: text on the theme's surfaces, and the fill of a button that hurts. They
 * mean the same whatever the accent.
 */
export interface Signals {
  /** Also the ring around what has the focus: an error's is red, and the accent may be. */
  readonly info: string;
  readonly error: string;
  readonly success: string;
  readonly warning: string;
  readonly danger: string;
  readonly dangerHover: string;
}

export const signals: Readonly<Record<Appearance['theme'], Signals>> = {
  dark: {
    info: '#68aaf5',
    error: '#f7747f',
    success: '#3fbf7f',
    warning: '#e3a63a',
    danger: '#cf3a47',
    dangerHover: '#bb2f3c',
  },
  light: {
    info: '#1c5bb0',
    error: '#c02836',
    success: '#12703f',
    warning: '#8a5608',
    danger: '#c02836',
    dangerHover: '#a31f2c',
  },
};

/** An accent as it is used on a theme, all as #rrggbb. */
export interface AccentPalette {
  /** Links and what is chosen: text on the theme's surfaces. */
  readonly text: string;
  readonly textHover: string;
  /** Filled buttons, and the text on them. */
  readonly fill: string;
  readonly fillHover: string;
  readonly fillActive: string;
  readonly onFill: string;
}

const white = '#ffffff';
const ink = '#14141a';

/** The accent exactly as specified: for swatches. */
export function swatchOf(accent: AccentColor): string {
  return hexOf(pure(accent));
}

/** White or ink: what is seen on an accent's swatch. */
export function onSwatch(accent: AccentColor): string {
  return contrast(swatchOf(accent), white) >= 3 ? white : ink;
}

function pure(accent: AccentColor): Hsl {
  return { hue: accentHues[accent], saturation: 70, lightness: 50 };
}

/** The accent made legible on a theme: the hue stays, its lightness moves as little as it must. */
export function accentOn({ theme, accentColor }: Appearance): AccentPalette {
  const color = pure(accentColor);
  const { page, raised } = neutrals[theme];
  const background = theme === 'dark' ? raised : page;
  const text = legibleOn(background, color, textContrast);
  const towardsText = theme === 'dark' ? 6 : -6;
  // White text where the accent is dark enough to carry it; yellow and green carry dark text.
  const onFill = onSwatch(accentColor);
  const fill = legibleOn(onFill, color, fillContrast);
  const shade = (by: number) => hexOf({ ...fill, lightness: fill.lightness + by });
  const away = onFill === white ? -1 : 1;
  return {
    text: hexOf(text),
    textHover: hexOf({ ...text, lightness: text.lightness + towardsText }),
    fill: hexOf(fill),
    fillHover: shade(4 * away),
    fillActive: shade(8 * away),
    onFill,
  };
}
