import { dismissToasts, panelConfig, usePageTitle } from '@talpa/panel-kit/core';
import { Tabs } from '@talpa/panel-kit/form';
import { useLocation } from '@talpa/panel-kit/router';
import { Alert, Loading } from '@talpa/panel-kit/ui';
import { useState } from 'react';
import { AuthFrame, SignInFrame } from './auth-frame.tsx';
import { FactorForm } from './factor-form.tsx';
import { InterruptionNotice } from './interruption-notice.tsx';
import { LoginForm } from './login-form.tsx';
import { ProxyInvitationNotice, useProxyInvitation } from './proxy-invitation.tsx';
import { RegisterForm } from './register-form.tsx';
import { useAuthTexts } from './texts.ts';

/** Sign in or register; an invitation's link (`#invite=CODE`) leads to the latter. */
export function AuthPage() {
  const t = useAuthTexts();
  const invitation = new URLSearchParams(useLocation().hash.slice(1)).get('invite');
  const [challenge, setChallenge] = useState<string | null>(null);
  const [reason, setReason] = useState<string | null>(null);
  const link = useProxyInvitation();
  usePageTitle(t('auth.login'));
  if (challenge !== null)
    return (
      <AuthFrame title={t('factor.title')}>
        <FactorForm
          challenge={challenge}
          onBack={(why) => {
            setChallenge(null);
            setReason(why);
          }}
        />
      </AuthFrame>
    );
  if (link?.isPending)
    return (
      <SignInFrame>
        <Loading />
      </SignInFrame>
    );
  return (
    <SignInFrame>
      <InterruptionNotice />
      {link && <ProxyInvitationNotice link={link} />}
      <Tabs
        destroyOnHidden
        // What failed in one form says nothing of the other.
        onChange={() => {
          dismissToasts();
          setReason(null);
        }}
        defaultActiveKey={invitation === null ? 'login' : 'register'}
        items={[
          {
            key: 'login',
            label: t('auth.login'),
            children: <LoginForm reason={reason} onChallenge={setChallenge} />,
          },
          { key: 'register', label: t('auth.register'), children: <Register invitation={invitation} /> },
        ]}
      />
    </SignInFrame>
  );
}

/** The form, or why there is none. */
function Register({ invitation }: { readonly invitation: string | null }) {
  const t = useAuthTexts();
  if (panelConfig().registration !== 'closed') return <RegisterForm invitation={invitation} />;
  return (
    <Alert
      type="info"
      showIcon
      title={t('auth.register.closed')}
      description={t('auth.register.closedText')}
    />
  );
}
