import { usePageTitle } from '@talpa/panel-kit/core';
import { LanguageSwitcher, LinkButton, PageHeading } from '@talpa/panel-kit/ui';
import { Footer } from './footer.tsx';
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
      <div className={styles.home}>
        <LinkButton to="/">{t('notFound.home')}</LinkButton>
      </div>
    </div>
  );
  if (!alone) return content;
  return (
    <main className={styles.alone}>
      <div className={styles.language}>
        <LanguageSwitcher variant="minimal" />
      </div>
      {content}
      <Footer />
    </main>
  );
}
