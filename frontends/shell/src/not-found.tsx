import { usePageTitle } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
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
      <h1 className={styles.title}>{t('notFound.title')}</h1>
      <p className={styles.text}>{t('notFound.text')}</p>
      <Link className={styles.home} to="/">
        {t('notFound.home')}
      </Link>
    </div>
  );
  return alone ? <main className={styles.alone}>{content}</main> : content;
}
