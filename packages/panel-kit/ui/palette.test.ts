import { describe, expect, it } from 'vitest';
import { type AccentColor, accentHues } from '../core/accents.ts';
import { contrast } from './color.ts';
import { accentOn, neutrals, signals, swatchOf } from './palette.ts';

/** What WCAG AA asks of text. */
const legible = 4.5;
const themes = ['dark', 'light'] as const;
const accents = Object.keys(accentHues) as AccentColor[];

it('shows the accents of the specification as swatches', () => {
  expect(accents.map(swatchOf)).toEqual(['#8026d9', '#2680d9', '#26d926', '#d92626', '#d9d926']);
});

describe.each(themes)('the %s theme', (theme) => {
  const { page, surface, raised, disabled, text, textSoft, textFaint } = neutrals[theme];
  const backgrounds = [page, surface, raised];

  it('has legible texts on every background', () => {
    for (const color of [text, textSoft, textFaint])
      for (const background of backgrounds)
        expect(contrast(color, background)).toBeGreaterThanOrEqual(legible);
  });

  it('has legible texts on what is disabled', () => {
    expect(contrast(textFaint, disabled)).toBeGreaterThanOrEqual(legible);
  });

  it('has boxes to tick that can be seen on every background', () => {
    for (const background of backgrounds)
      expect(contrast(neutrals[theme].control, background)).toBeGreaterThanOrEqual(3);
  });

  it('has legible signals, and white text on what deletes', () => {
    const { info, error, success, warning, danger, dangerHover } = signals[theme];
    for (const color of [info, error, success, warning])
      for (const background of backgrounds)
        expect(contrast(color, background)).toBeGreaterThanOrEqual(legible);
    for (const fill of [danger, dangerHover])
      expect(contrast('#ffffff', fill)).toBeGreaterThanOrEqual(legible);
  });

  it.each(accents)('makes %s legible as text and as a filled button', (accentColor) => {
    const accent = accentOn({ theme, accentColor });
    for (const background of backgrounds)
      expect(contrast(accent.text, background)).toBeGreaterThanOrEqual(legible);
    for (const fill of [accent.fill, accent.fillHover, accent.fillActive])
      expect(contrast(accent.onFill, fill)).toBeGreaterThanOrEqual(legible);
  });
});
