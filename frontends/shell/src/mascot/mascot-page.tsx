import { usePageTitle } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { LanguageSwitcher, PageHeading } from '@talpa/panel-kit/ui';
import { ArrowLeft, MapPin, MessageCircle, Pickaxe } from 'lucide-react';
import { Footer } from '../footer.tsx';
import { Mole } from '../mole.tsx';
import { Banner } from './banner.tsx';
import styles from './mascot.module.css';
import { useMascotTexts } from './texts.ts';

/** The mole has no account of its own: the link opens the chat platform where its people meet. */
const chatUrl = 'https://discord.com/app';

/** The project's mascot on a card of its own, also for users who are not signed in. It makes no request. */
export function MascotPage() {
  const t = useMascotTexts();
  usePageTitle(t('mascot.name'));
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Link to="/" className={styles.back}>
          <ArrowLeft size={16} aria-hidden />
          {t('mascot.back')}
        </Link>
        <LanguageSwitcher variant="minimal" />
      </header>
      <main className={styles.main}>
        <article className={styles.card}>
          <Banner />
          <div className={styles.head}>
            <span className={styles.avatar}>
              <Mole size={96} />
              <span
                className={styles.dot}
                role="img"
                aria-label={t('mascot.online')}
                title={t('mascot.online')}
              />
            </span>
            <PageHeading className={styles.name}>{t('mascot.name')}</PageHeading>
            <p className={styles.handle}>{t('mascot.handle')}</p>
          </div>
          <p className={styles.bio}>{t('mascot.bio')}</p>
          <dl className={styles.facts}>
            <div>
              <dt>
                <Pickaxe size={17} aria-hidden />
                {t('mascot.role')}
              </dt>
              <dd>{t('mascot.role.text')}</dd>
            </div>
            <div>
              <dt>
                <MapPin size={17} aria-hidden />
                {t('mascot.location')}
              </dt>
              <dd>{t('mascot.location.text')}</dd>
            </div>
          </dl>
          <a className={styles.contact} href={chatUrl} target="_blank" rel="noreferrer">
            <MessageCircle size={18} aria-hidden />
            {t('mascot.contact')}
          </a>
        </article>
      </main>
      <Footer />
    </div>
  );
}
