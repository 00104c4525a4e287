import { theme as antdTheme } from 'antd';
import { expect, it } from 'vitest';
import { type AccentColor, accentHues } from '../core/accents.ts';
import { themeOf } from './theme.ts';

const accents = Object.keys(accentHues) as AccentColor[];

it.each(['dark', 'light'] as const)(
  'the %s theme says the same with its colors whatever the accent',
  (theme) => {
    const meanings = accents.map((accentColor) => {
      const { components } = themeOf({ theme, accentColor }, false);
      const tokens = antdTheme.getDesignToken(themeOf({ theme, accentColor }, false));
      const semantic = Object.entries(tokens).filter(([name]) =>
        /^color(Info|Success|Warning|Error)|Outline$|^colorPrimaryBorder$/.test(name),
      );
      const { Input, Select, DatePicker } = components ?? {};
      return { ...Object.fromEntries(semantic), Input, Select, DatePicker };
    });
    for (const meaning of meanings) expect(meaning).toEqual(meanings[0]);
  },
);
