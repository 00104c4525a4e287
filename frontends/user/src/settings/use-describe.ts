import type { QuietHours } from '@talpa/contracts';
import type { DescribeField } from '@talpa/panel-kit/form';
import { useSettingsTexts } from './texts.ts';

/** How a field of the preferences is named, and its value read. */
export function useDescribe(): DescribeField {
  const t = useSettingsTexts();
  const names: Readonly<Record<string, string>> = {
    email: t('email'),
    'notify.email': t('notify.email'),
    'notify.system': t('notify.system'),
    'notify.maintenance': t('notify.maintenance'),
    theme: t('theme'),
    accent: t('accent'),
  };
  const values: Readonly<Record<string, string>> = {
    true: t('on'),
    false: t('off'),
    dark: t('theme.dark'),
    light: t('theme.light'),
    purple: t('accent.purple'),
    blue: t('accent.blue'),
    green: t('accent.green'),
    red: t('accent.red'),
    yellow: t('accent.yellow'),
  };
  const quietText = (value: unknown) => {
    const quiet = JSON.parse(String(value)) as QuietHours | null;
    return quiet ? t('quiet.span', { from: quiet.from, to: quiet.to }) : t('off');
  };
  return (name, value) =>
    name === 'notify.quiet'
      ? { label: t('quiet'), text: quietText(value) }
      : { label: names[name] ?? name, text: values[String(value)] ?? String(value) };
}
