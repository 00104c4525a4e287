import type { Preferences } from '@talpa/contracts';
import {
  type AccentColor,
  type Appearance,
  accentHues,
  setAppearance,
  useAppearance,
} from '@talpa/panel-kit/core';
import { Button, LanguageSwitcher, onSwatch, swatchOf } from '@talpa/panel-kit/ui';
import { Check, Moon, Sun } from 'lucide-react';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './settings.module.css';
import { useSavePreferences } from './use-save.ts';

const themes = [
  ['dark', Moon],
  ['light', Sun],
] as const;

/** Theme, accent and language; seen at once, kept for good by saving. */
export function AppearanceTab({ preferences }: { readonly preferences: Preferences }) {
  const t = useUserTexts();
  const { save, isPending } = useSavePreferences();
  const appearance = useAppearance();
  const change = (part: Partial<Appearance>) => setAppearance({ ...appearance, ...part });
  return (
    <div className={styles.form}>
      <fieldset className={styles.group}>
        <legend>{t('settings.theme')}</legend>
        {themes.map(([theme, Icon]) => (
          <label key={theme} className={styles.theme}>
            <input
              type="radio"
              name="theme"
              checked={appearance.theme === theme}
              onChange={() => change({ theme })}
            />
            <Icon size={17} aria-hidden />
            {t(`settings.theme.${theme}`)}
          </label>
        ))}
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{t('settings.accent')}</legend>
        {(Object.keys(accentHues) as AccentColor[]).map((accentColor) => (
          <label key={accentColor} className={styles.swatch} style={{ background: swatchOf(accentColor) }}>
            <input
              type="radio"
              name="accent"
              aria-label={t(`settings.accent.${accentColor}`)}
              checked={appearance.accentColor === accentColor}
              onChange={() => change({ accentColor })}
            />
            {appearance.accentColor === accentColor && (
              <Check size={17} color={onSwatch(accentColor)} strokeWidth={3} aria-hidden />
            )}
          </label>
        ))}
      </fieldset>
      <div>
        <p className={styles.legend}>{t('settings.language')}</p>
        <LanguageSwitcher variant="full" />
      </div>
      <Button type="primary" loading={isPending} onClick={() => save({ ...preferences, appearance })}>
        {t('settings.save')}
      </Button>
    </div>
  );
}
