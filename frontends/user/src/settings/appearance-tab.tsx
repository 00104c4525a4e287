import type { Preferences } from '@talpa/contracts';
import { type AccentColor, accentHues } from '@talpa/panel-kit/core';
import { LanguageSwitcher, onSwatch, Panel, swatchOf } from '@talpa/panel-kit/ui';
import { Check, Moon, Sun } from 'lucide-react';
import styles from './settings.module.css';
import type { TabProps } from './tab.ts';
import { useSettingsTexts } from './texts.ts';

const themes = [
  ['dark', Moon],
  ['light', Sun],
] as const;

/** Theme, accent and language; seen at once, kept for good by saving. */
export function AppearanceTab({ draft, change: changeDraft, onSave, bar }: TabProps) {
  const t = useSettingsTexts();
  const { appearance } = draft;
  const change = (part: Partial<Preferences['appearance']>) =>
    changeDraft({ appearance: { ...appearance, ...part } });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <Panel label={t('tab.appearance')} footer={bar}>
        <div className={styles.groups}>
          <fieldset className={styles.group}>
            <legend>{t('theme')}</legend>
            {themes.map(([theme, Icon]) => (
              <label key={theme} className={styles.option}>
                <input
                  type="radio"
                  name="theme"
                  checked={appearance.theme === theme}
                  onChange={() => change({ theme })}
                />
                <Icon size={17} aria-hidden />
                {t(`theme.${theme}`)}
              </label>
            ))}
          </fieldset>
          <div>
            <p className={styles.legend}>{t('language')}</p>
            <LanguageSwitcher variant="full" />
            <p className={styles.hint}>{t('language.hint')}</p>
          </div>
          <fieldset className={`${styles.group} ${styles.wide}`}>
            <legend>{t('accent')}</legend>
            {(Object.keys(accentHues) as AccentColor[]).map((accentColor) => (
              <label key={accentColor} className={styles.option}>
                <input
                  type="radio"
                  name="accent"
                  checked={appearance.accentColor === accentColor}
                  onChange={() => change({ accentColor })}
                />
                <span className={styles.swatch} style={{ background: swatchOf(accentColor) }} aria-hidden>
                  {appearance.accentColor === accentColor && (
                    <Check size={13} color={onSwatch(accentColor)} strokeWidth={3} />
                  )}
                </span>
                {t(`accent.${accentColor}`)}
              </label>
            ))}
          </fieldset>
        </div>
      </Panel>
    </form>
  );
}
