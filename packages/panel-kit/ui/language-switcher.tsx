import { type Language, languages } from '@talpa/contracts/language';
import { Languages } from 'lucide-react';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { setLanguage, useLanguage } from '../core/texts/language.ts';
import { Flag } from './flag.tsx';
import styles from './language-switcher.module.css';
import { Tooltip } from './tooltip.tsx';

/** Each language in its own words: a user who looks for their language reads those. */
const names: Readonly<Record<Language, string>> = { de: 'Deutsch', en: 'English' };
const others: Readonly<Record<Language, Language>> = { de: 'en', en: 'de' };

/**
 * Switches the panel's language. `icon`, `entry`: one button to the other language, in the closed and in the open
 * menu; `minimal`: the flags (public pages); `full`: flags and names (settings).
 */
export function LanguageSwitcher(props: { readonly variant: 'icon' | 'entry' | 'minimal' | 'full' }) {
  const { variant } = props;
  if (variant === 'icon' || variant === 'entry') return <ToOther named={variant === 'entry'} />;
  return <FlagSwitcher full={variant === 'full'} />;
}

function ToOther({ named }: { readonly named: boolean }) {
  const t = useKitTexts();
  const other = others[useLanguage()];
  const name = <span lang={other}>{names[other]}</span>;
  const button = (
    <button
      type="button"
      className={styles.icon}
      aria-label={t('language.switch', { name: names[other] })}
      onClick={() => setLanguage(other)}
    >
      <Languages size={19} aria-hidden />
      {named && name}
    </button>
  );
  return named ? (
    button
  ) : (
    <Tooltip atOnce title={name} placement="right">
      {button}
    </Tooltip>
  );
}

function FlagSwitcher({ full }: { readonly full: boolean }) {
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
          {...(full ? {} : { 'aria-label': names[language], title: names[language] })}
          onClick={() => setLanguage(language)}
        >
          <Flag language={language} />
          {full && names[language]}
        </button>
      ))}
    </fieldset>
  );
}
