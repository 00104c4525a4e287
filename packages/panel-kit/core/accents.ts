import type { Preferences } from '@talpa/contracts';

export type Appearance = Preferences['appearance'];
export type AccentColor = Appearance['accentColor'];
/** Hues of the accents in degrees; all have 70 % saturation and 50 % lightness. */
export const accentHues: Readonly<Record<AccentColor, number>> = {
  purple: 270,
  blue: 210,
  green: 120,
  red: 0,
  yellow: 60,
};
