import { usePageTitle } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { LanguageSwitcher, PageHeading } from '@talpa/panel-kit/ui';
import { Mole } from './mole.tsx';
import styles from './not-found.module.css';
import { useShellTexts } from './texts/shell-texts.ts';

/** The not-found screen; `alone` when no layout is around it. */
export function NotFound({ alone = false }: { readonly alone?: boolean }) {
  const t = useShellTexts();
  usePageTitle(t('notFound.title'));
  const content = (
    <div className={styles.box}>
      <Mole size={56} />
      <PageHeading className={styles.title}>{t('notFound.title')}</PageHeading>
      <p className={styles.text}>{t('notFound.text')}</p>
      <Link className={styles.home} to="/">
        {t('notFound.home')}
      </Link>
    </div>
  );
  if (!alone) return content;
  return (
    <main className={styles.alone}>
      <div className={styles.language}>
        <LanguageSwitcher variant="minimal" />
      </div>
      {content}
    </main>
  );
}
