import { panelConfig } from '@talpa/panel-kit/core';
import styles from './footer.module.css';
import { useShellTexts } from './texts/shell-texts.ts';

/** The version, and the operator's links as far as they are set. */
export function Footer() {
  const t = useShellTexts();
  const { version, links } = panelConfig();
  const shown = (['imprint', 'privacy', 'terms', 'support'] as const).flatMap((name) => {
    const href = links[name];
    return href ? [{ name, href }] : [];
  });
  return (
    <footer className={styles.footer}>
      <span>{t('footer.version', { version })}</span>
      {shown.length > 0 && (
        <nav aria-label={t('footer.label')} className={styles.links}>
          {shown.map(({ name, href }) => (
            <a key={name} href={href} target="_blank" rel="noreferrer">
              {t(`footer.${name}`)}
            </a>
          ))}
        </nav>
      )}
    </footer>
  );
}
