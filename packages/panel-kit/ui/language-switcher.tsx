import { type Language, languages } from '@talpa/contracts/language';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { setLanguage, useLanguage } from '../core/texts/language.ts';
import styles from './language-switcher.module.css';

/** Each language in its own words. */
const names: Readonly<Record<Language, string>> = { de: 'Deutsch', en: 'English' };

/** Switches the panel's language: short (DE, EN), or `full` with the whole names. */
export function LanguageSwitcher({ full = false }: { readonly full?: boolean }) {
  const t = useKitTexts();
  const current = useLanguage();
  return (
    <fieldset className={styles.group} aria-label={t('language')}>
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          className={styles.choice}
          aria-pressed={language === current}
          {...(full ? {} : { title: names[language] })}
          onClick={() => setLanguage(language)}
        >
          {full ? names[language] : language.toUpperCase()}
        </button>
      ))}
    </fieldset>
  );
}
