import { theme as antdTheme, type ThemeConfig } from 'antd';
import type { Appearance } from '../core/appearance.ts';
import { accentOn, neutrals } from './palette.ts';

const fontFamily = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
export const monoFamily = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace";
/** The class that carries antd's variables; it stands on <html>, so our own styles read them too. */
export const variablesClass = 'talpa-theme';

type Algorithm = Exclude<NonNullable<ThemeConfig['algorithm']>, unknown[]>;

/** antd's configuration for a theme and accent; every color is one that passes WCAG AA where it is used. */
export function themeOf(appearance: Appearance, reducedMotion: boolean): ThemeConfig {
  const neutral = neutrals[appearance.theme];
  const accent = accentOn(appearance);
  const dark = appearance.theme === 'dark';
  // antd derives its palette from the seed and would shift the color: set what must be exact afterwards.
  const exact: Algorithm = (seed, derived) => ({
    ...(derived ?? antdTheme.defaultAlgorithm(seed)),
    colorPrimary: accent.text,
    colorPrimaryHover: accent.textHover,
    colorPrimaryActive: accent.text,
    colorPrimaryText: accent.text,
    colorPrimaryTextHover: accent.textHover,
    colorPrimaryTextActive: accent.text,
    colorPrimaryBorder: `${accent.text}73`,
    colorPrimaryBg: `${accent.text}1f`,
    colorPrimaryBgHover: `${accent.text}33`,
    colorLink: accent.text,
    colorLinkHover: accent.textHover,
    colorLinkActive: accent.text,
    colorBgLayout: neutral.page,
    colorBgContainer: neutral.surface,
    colorBgElevated: neutral.raised,
    colorBorder: neutral.border,
    colorBorderSecondary: neutral.borderSoft,
    colorText: neutral.text,
    colorTextSecondary: neutral.textSoft,
    colorTextTertiary: neutral.textFaint,
  });
  return {
    algorithm: [dark ? antdTheme.darkAlgorithm : antdTheme.defaultAlgorithm, exact],
    cssVar: { key: variablesClass },
    hashed: false,
    token: {
      colorPrimary: accent.fill,
      colorError: dark ? '#f4606c' : '#c62f3d',
      colorSuccess: dark ? '#3fbf7f' : '#16794a',
      colorWarning: dark ? '#e3a63a' : '#96600a',
      colorInfo: accent.text,
      colorTextPlaceholder: neutral.textFaint,
      colorTextDescription: neutral.textSoft,
      colorTextHeading: neutral.text,
      fontFamily,
      fontFamilyCode: monoFamily,
      fontSize: 14,
      borderRadius: 8,
      controlHeight: 36,
      controlHeightLG: 42,
      wireframe: false,
      motion: !reducedMotion,
      boxShadow: dark ? '0 16px 48px rgb(0 0 0 / 55%)' : '0 16px 48px rgb(23 23 40 / 14%)',
      boxShadowSecondary: dark ? '0 8px 28px rgb(0 0 0 / 50%)' : '0 8px 28px rgb(23 23 40 / 12%)',
    },
    components: {
      Button: {
        colorPrimary: accent.fill,
        colorPrimaryHover: accent.fillHover,
        colorPrimaryActive: accent.fillActive,
        primaryColor: accent.onFill,
        fontWeight: 500,
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
      },
      Tooltip: { colorBgSpotlight: dark ? '#33333f' : '#26262e' },
      Table: {
        headerBg: 'transparent',
        headerColor: neutral.textSoft,
        headerSplitColor: 'transparent',
        cellPaddingBlock: 14,
        rowHoverBg: dark ? '#1a1a21' : '#fafafc',
      },
      Tabs: { titleFontSize: 14, horizontalItemGutter: 24 },
      Modal: { titleFontSize: 17 },
      Form: { labelColor: neutral.text, verticalLabelPadding: '0 0 6px' },
      Segmented: { trackBg: dark ? '#0d0d11' : '#ededf2', itemSelectedBg: dark ? '#2a2a34' : '#ffffff' },
    },
  };
}
