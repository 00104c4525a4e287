import {
  ApiError,
  useApiMutation,
  usePageTitle,
  useSession,
  useSignIn,
  useToast,
} from '@talpa/panel-kit/core';
import { useLocation, useNavigate } from '@talpa/panel-kit/router';
import { Loading } from '@talpa/panel-kit/ui';
import { type ReactNode, useEffect, useState } from 'react';
import { authPath, securityPath } from '../paths.ts';
import { SentBack, Waiting } from '../protected.tsx';
import { takeReturn } from '../return.ts';
import { AuthFrame } from './auth-frame.tsx';
import { FactorForm } from './factor-form.tsx';
import { Outcome } from './outcome.tsx';
import { ProviderRegisterForm } from './provider-register-form.tsx';
import { StepUp } from './step-up/step-up.tsx';
import { useAuthTexts } from './texts.ts';

/** What a provider has sent the browser back with. */
interface Answer {
  readonly state: string;
  readonly code?: string;
  readonly iss?: string;
  readonly error?: string;
}

/** The page that providers send browsers back to: for a sign-in, or to link an identity to the user who is signed in. */
export function ProviderPage() {
  const t = useAuthTexts();
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  // Read once: it counts once, and is taken out of the address.
  const [answer] = useState(() => answerIn(search));
  useEffect(() => {
    takeReturn();
    void navigate(pathname, { replace: true });
  }, [navigate, pathname]);
  usePageTitle(t('provider.title'));
  if (!answer) return <Failed title={t('provider.failed')} why={t('provider.incomplete')} />;
  return answer.state.startsWith('link.') ? <Linking answer={answer} /> : <SigningIn answer={answer} />;
}

function answerIn(search: string): Answer | null {
  const params = new URLSearchParams(search);
  const given = (name: 'code' | 'iss' | 'error') => {
    const value = params.get(name);
    return value ? { [name]: value } : {};
  };
  const state = params.get('state');
  return state ? { state, ...given('code'), ...given('iss'), ...given('error') } : null;
}

function SigningIn({ answer }: { readonly answer: Answer }) {
  const t = useAuthTexts();
  const toast = useToast();
  const session = useSession();
  const navigate = useNavigate();
  const [isDone, setIsDone] = useState(false);
  const [problem, setProblem] = useState<ApiError | string | null>(null);
  const { mutateAsync } = useSignIn('POST /api/login/provider');
  const isKnown = session.state === 'signedIn' || session.state === 'signedOut';
  useOnce(isKnown, async () => {
    try {
      const { username: name } = await mutateAsync(answer);
      toast({ title: t('auth.login.done'), text: t('auth.login.doneText', { name }), tone: 'success' });
      setIsDone(true);
    } catch (error) {
      setProblem(error instanceof ApiError ? error : (error as Error).message);
    }
  });
  const leave = (why: string | null) => (why === null ? void navigate(authPath) : setProblem(why));
  if (!isKnown) return <Waiting session={session} />;
  const done = () => setIsDone(true);
  if (isDone && session.state === 'signedIn') return <SentBack userId={session.user.id} />;
  if (problem === null) return <Pending />;
  if (typeof problem === 'string') return <Failed title={t('provider.failed')} why={problem} />;
  const { code, challenge, suggestion, message } = problem;
  if (code === 'second_factor_required' && challenge !== null)
    return (
      <AuthFrame title={t('factor.title')}>
        <FactorForm challenge={challenge} onBack={leave} onDone={done} />
      </AuthFrame>
    );
  if (code === 'account_missing' && challenge !== null && suggestion !== null)
    return (
      <AuthFrame title={t('provider.register.title')}>
        <ProviderRegisterForm challenge={challenge} suggestion={suggestion} onDone={done} />
      </AuthFrame>
    );
  return <Failed title={t('provider.failed')} why={message} />;
}

function Linking({ answer }: { readonly answer: Answer }) {
  const t = useAuthTexts();
  const toast = useToast();
  const session = useSession();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string | null>(null);
  const { mutateAsync } = useApiMutation('POST /api/user/identities');
  useOnce(session.state === 'signedIn', async () => {
    try {
      const { provider, issuer } = await mutateAsync(answer);
      const text = t('provider.link.doneText', { provider: provider?.label ?? issuer });
      toast({ title: t('provider.link.done'), text, tone: 'success' });
      void navigate(securityPath, { replace: true });
    } catch (error) {
      setProblem((error as Error).message);
    }
  });
  if (session.state === 'signedOut')
    return <Failed title={t('provider.link.failed')} why={t('provider.link.signedOut')} />;
  if (session.state !== 'signedIn') return <Waiting session={session} />;
  if (problem !== null)
    return (
      <AuthFrame title={t('provider.title')}>
        <Outcome
          type="error"
          title={t('provider.link.failed')}
          text={problem}
          to={securityPath}
          next={t('provider.link.back')}
        />
      </AuthFrame>
    );
  return (
    <>
      <Pending />
      <StepUp />
    </>
  );
}

/** Does something once it may be done; React mounts components twice in development. */
function useOnce(mayBegin: boolean, work: () => Promise<void>): void {
  const [begun] = useState({ current: false });
  useEffect(() => {
    if (!mayBegin || begun.current) return;
    begun.current = true;
    void work();
  });
}

function Pending(): ReactNode {
  const t = useAuthTexts();
  return (
    <AuthFrame title={t('provider.pending')}>
      <Loading />
    </AuthFrame>
  );
}

function Failed({ title, why }: { readonly title: string; readonly why: string }) {
  const t = useAuthTexts();
  return (
    <AuthFrame title={t('provider.title')}>
      <Outcome type="error" title={title} text={why} to={authPath} next={t('provider.again')} />
    </AuthFrame>
  );
}
