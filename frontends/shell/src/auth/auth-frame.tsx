import { LanguageSwitcher, Loading } from '@talpa/panel-kit/ui';
import type { ReactNode } from 'react';
import { Footer } from '../footer.tsx';
import { Mole } from '../mole.tsx';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './auth-page.module.css';
import { Hero } from './hero.tsx';

/** Around the forms of people who are not signed in. */
export function AuthFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className={styles.page}>
      <Hero />
      <main className={styles.side}>
        <div className={styles.top}>
          <LanguageSwitcher variant="minimal" />
        </div>
        <div className={styles.box}>
          <div className={styles.brand}>
            <Mole size={40} />
            <h1 className={styles.title}>{title}</h1>
          </div>
          {children}
        </div>
        <Footer />
      </main>
    </div>
  );
}

/** Around what one signs in with. */
export function SignInFrame({ children }: { readonly children: ReactNode }) {
  const t = useShellTexts();
  return <AuthFrame title={t('auth.welcome')}>{children}</AuthFrame>;
}

/** The sign-in page while its forms are being loaded. */
export function SignInOnItsWay() {
  return (
    <SignInFrame>
      <Loading />
    </SignInFrame>
  );
}
