import { theme as antdTheme, type ThemeConfig } from 'antd';
import type { Appearance } from '../core/accents.ts';
import { accentOn, neutrals, signals } from './palette.ts';

const fontFamily = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const monoFamily = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace";
/** The class that carries antd's variables; it stands on <html>, so our own styles read them too. */
const variablesClass = 'talpa-theme';

/** A color as a background and as a border of what it colors. */
const tint = (hex: string) => `${hex}14`;
const edge = (hex: string) => `${hex}4d`;

type Algorithm = Exclude<NonNullable<ThemeConfig['algorithm']>, unknown[]>;

/** antd's configuration for a theme and accent; every color is one that passes WCAG AA where it is used. */
export function themeOf(appearance: Appearance, reducedMotion: boolean): ThemeConfig {
  const neutral = neutrals[appearance.theme];
  const accent = accentOn(appearance);
  const dark = appearance.theme === 'dark';
  const signal = signals[appearance.theme];
  // antd derives its palette from the seed and would shift the color: set what must be exact afterwards.
  const exact: Algorithm = (seed, derived) => ({
    ...(derived ?? antdTheme.defaultAlgorithm(seed)),
    colorPrimary: accent.text,
    colorPrimaryHover: accent.textHover,
    colorPrimaryActive: accent.text,
    colorPrimaryText: accent.text,
    colorPrimaryTextHover: accent.textHover,
    colorPrimaryTextActive: accent.text,
    // antd draws the ring around what has the focus in this color.
    colorPrimaryBorder: signal.info,
    colorPrimaryBg: `${accent.text}1f`,
    colorPrimaryBgHover: `${accent.text}33`,
    colorLink: accent.text,
    colorLinkHover: accent.textHover,
    colorLinkActive: accent.text,
    colorError: signal.error,
    colorErrorText: signal.error,
    colorSuccess: signal.success,
    colorSuccessText: signal.success,
    colorWarning: signal.warning,
    colorWarningText: signal.warning,
    colorInfo: signal.info,
    colorInfoText: signal.info,
    colorInfoBg: tint(signal.info),
    colorInfoBorder: edge(signal.info),
    colorSuccessBg: tint(signal.success),
    colorSuccessBorder: edge(signal.success),
    // Tinted with its own dark letters it would be grey.
    colorWarningBg: dark ? tint(signal.warning) : '#fff7e6',
    colorWarningBorder: dark ? edge(signal.warning) : '#ecd6ab',
    colorErrorBg: tint(signal.error),
    colorErrorBorder: edge(signal.error),
    colorBgLayout: neutral.page,
    colorBgContainer: neutral.surface,
    colorBgElevated: neutral.raised,
    colorBorder: neutral.border,
    colorBorderSecondary: neutral.borderSoft,
    colorText: neutral.text,
    colorTextSecondary: neutral.textSoft,
    colorTextTertiary: neutral.textFaint,
  });
  // White lies on it: a tick, a dot, a knob.
  const filled = { colorPrimary: accent.fill, colorPrimaryHover: accent.fillHover };
  const ring = edge(signal.info);
  const field = { activeBorderColor: signal.info, hoverBorderColor: neutral.control };
  return {
    algorithm: [dark ? antdTheme.darkAlgorithm : antdTheme.defaultAlgorithm, exact],
    cssVar: { key: variablesClass },
    hashed: false,
    token: {
      colorPrimary: accent.fill,
      colorError: signal.error,
      colorSuccess: signal.success,
      colorWarning: signal.warning,
      colorInfo: signal.info,
      // The ring of a field: also of a refused one, whose border stays red.
      controlOutline: ring,
      colorErrorOutline: ring,
      colorWarningOutline: ring,
      controlOutlineWidth: 3,
      colorTextPlaceholder: neutral.textFaint,
      colorTextDisabled: neutral.textFaint,
      colorBgContainerDisabled: neutral.disabled,
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
        // A filled button carries white text: darker than the text of an error may be.
        colorError: signal.danger,
        colorErrorHover: signal.dangerHover,
        colorErrorActive: signal.dangerHover,
        fontWeight: 500,
        defaultHoverColor: neutral.text,
        defaultHoverBorderColor: neutral.control,
        defaultActiveColor: neutral.text,
        defaultActiveBorderColor: neutral.textFaint,
        textTextColor: neutral.textSoft,
        textTextHoverColor: neutral.text,
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
      },
      Tooltip: { colorBgSpotlight: dark ? '#33333f' : '#26262e' },
      Table: {
        headerBg: 'transparent',
        headerColor: neutral.textSoft,
        headerSplitColor: 'transparent',
        cellPaddingBlock: 13,
        cellPaddingInline: 10,
        rowHoverBg: dark ? '#1a1a21' : '#fafafc',
        // antd's own is too dark for what is written on it.
        rowSelectedHoverBg: `${accent.text}1f`,
      },
      // An empty box is all there is to see of them: 3:1 against what is behind.
      Checkbox: { ...filled, colorBorder: neutral.control },
      Radio: { ...filled, colorBorder: neutral.control },
      // The same for a switch that is off.
      Switch: { ...filled, colorTextQuaternary: neutral.control, colorTextTertiary: neutral.textFaint },
      Input: field,
      DatePicker: field,
      // Its arrow.
      Select: { ...field, colorTextQuaternary: neutral.control },
      // Translucent: it shows on the ground of a chosen row, too.
      Tag: { defaultBg: `${neutral.text}17`, defaultColor: neutral.text },
      Tabs: { titleFontSize: 14, horizontalItemGutter: 24 },
      Modal: { titleFontSize: 17 },
      Form: { labelColor: neutral.text, verticalLabelPadding: '0 0 6px', itemMarginBottom: 30 },
      Segmented: { trackBg: dark ? '#0d0d11' : '#ededf2', itemSelectedBg: dark ? '#2a2a34' : '#ffffff' },
    },
  };
}
