import { ConfigProvider } from 'antd';
import deDE from 'antd/es/locale/de_DE';
import enUS from 'antd/es/locale/en_US';
import { Calendar, ChevronDown, CircleAlert, CircleCheck, CircleX, Info } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useMemo } from 'react';
import { useAppearance } from '../core/appearance.ts';
import { useMedia } from '../core/media.ts';
import { useLanguage } from '../core/texts/language.ts';
import { styleNonce } from './csp.ts';
import { neutrals } from './palette.ts';
import { Spinner } from './spinner.tsx';
import { themeOf } from './theme.ts';

const spinner = <Spinner />;
/** antd's own icons have English names, which screen readers say. */
const alertIcons = {
  successIcon: <CircleCheck size="1em" aria-hidden />,
  errorIcon: <CircleX size="1em" aria-hidden />,
  infoIcon: <Info size="1em" aria-hidden />,
  warningIcon: <CircleAlert size="1em" aria-hidden />,
};
const openIcon = <ChevronDown size={16} aria-hidden />;
const dayIcon = <Calendar size={16} aria-hidden />;
const clearIcon = <CircleX size={14} aria-hidden />;
const csp = { nonce: styleNonce() };

/** Gives antd the theme, the accent, the language and the page's nonce. The shell renders it once. */
export function ThemeProvider({ children }: { readonly children: ReactNode }) {
  const appearance = useAppearance();
  const language = useLanguage();
  const reducedMotion = useMedia('(prefers-reduced-motion: reduce)');
  const theme = useMemo(() => themeOf(appearance, reducedMotion), [appearance, reducedMotion]);
  useEffect(() => {
    // What browsers on phones color around the page.
    document
      .querySelector('meta[name="theme-color"]')
      ?.setAttribute('content', neutrals[appearance.theme].page);
  }, [appearance.theme]);
  useLayoutEffect(() => {
    document.documentElement.dataset.accent = appearance.accentColor;
  }, [appearance.accentColor]);
  return (
    <ConfigProvider
      theme={theme}
      csp={csp}
      locale={language === 'de' ? deDE : enUS}
      wave={{ disabled: true }}
      alert={alertIcons}
      button={{ autoInsertSpace: false, loadingIcon: spinner }}
      select={{ loadingIcon: spinner, suffixIcon: openIcon, clearIcon }}
      datePicker={{ suffixIcon: dayIcon, allowClear: { clearIcon } }}
    >
      {children}
    </ConfigProvider>
  );
}
