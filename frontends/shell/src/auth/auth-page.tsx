import { usePageTitle } from '@talpa/panel-kit/core';
import { Tabs } from '@talpa/panel-kit/form';
import { useShellTexts } from '../texts/shell-texts.ts';
import { AuthFrame } from './auth-frame.tsx';
import { InterruptionNotice } from './interruption-notice.tsx';
import { LoginForm } from './login-form.tsx';
import { RegisterForm } from './register-form.tsx';

/** Sign in or register. */
export function AuthPage() {
  const t = useShellTexts();
  usePageTitle(t('auth.login'));
  return (
    <AuthFrame title={t('auth.welcome')}>
      <InterruptionNotice />
      <Tabs
        destroyOnHidden
        items={[
          { key: 'login', label: t('auth.login'), children: <LoginForm /> },
          { key: 'register', label: t('auth.register'), children: <RegisterForm /> },
        ]}
      />
    </AuthFrame>
  );
}
