import { usePageTitle } from '@talpa/panel-kit/core';
import { Tabs } from '@talpa/panel-kit/form';
import { LanguageSwitcher } from '@talpa/panel-kit/ui';
import { Footer } from '../layout/footer.tsx';
import { Mole } from '../mole.tsx';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './auth-page.module.css';
import { Hero } from './hero.tsx';
import { InterruptionNotice } from './interruption-notice.tsx';
import { LoginForm } from './login-form.tsx';
import { RegisterForm } from './register-form.tsx';

/** Sign in or register. */
export function AuthPage() {
  const t = useShellTexts();
  usePageTitle(t('auth.login'));
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
            <h1 className={styles.title}>{t('auth.welcome')}</h1>
          </div>
          <InterruptionNotice />
          <Tabs
            destroyOnHidden
            items={[
              { key: 'login', label: t('auth.login'), children: <LoginForm /> },
              { key: 'register', label: t('auth.register'), children: <RegisterForm /> },
            ]}
          />
        </div>
        <Footer />
      </main>
    </div>
  );
}
