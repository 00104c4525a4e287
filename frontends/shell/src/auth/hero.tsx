import { BookOpenText, ShieldCheck, Zap } from 'lucide-react';
import { Mole } from '../mole.tsx';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './hero.module.css';

const features = [
  ['easy', Zap],
  ['guide', BookOpenText],
  ['secure', ShieldCheck],
] as const;

/** What Talpa is, beside the forms. */
export function Hero() {
  const t = useShellTexts();
  return (
    <aside className={styles.hero}>
      <div className={styles.brand}>
        <Mole size={32} />
        Talpa
      </div>
      <div className={styles.words}>
        <p className={styles.title}>{t('auth.title')}</p>
        <p className={styles.subtitle}>{t('auth.subtitle')}</p>
        <ul className={styles.features}>
          {features.map(([key, Icon]) => (
            <li key={key} className={styles.feature}>
              <span className={styles.icon}>
                <Icon size={18} aria-hidden />
              </span>
              <span>
                <strong>{t(`auth.feature.${key}.title`)}</strong>
                <br />
                {t(`auth.feature.${key}.text`)}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </aside>
  );
}
