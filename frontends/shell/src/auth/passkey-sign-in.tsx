import { passkeysWork, useApiMutation, useSignIn, useToast } from '@talpa/panel-kit/core';
import { PasskeyButton } from './passkey-button.tsx';
import { useAuthTexts } from './texts.ts';

/**
 * Signs in with a passkey, without a name and a password. It is not there where passkeys do not work.
 * @param onProblem gets the error's text, and null when a new attempt begins
 */
export function PasskeySignIn({ onProblem }: { readonly onProblem: (problem: string | null) => void }) {
  const t = useAuthTexts();
  const toast = useToast();
  const { mutateAsync: start } = useApiMutation('POST /api/login/passkey/challenge');
  const { mutateAsync: signIn } = useSignIn('POST /api/login/passkey');
  if (!passkeysWork()) return null;
  return (
    <PasskeyButton
      size="large"
      start={() => start({})}
      finish={async (passkey) => {
        const { username: name } = await signIn({ passkey });
        toast({ title: t('auth.login.done'), text: t('auth.login.doneText', { name }), tone: 'success' });
      }}
      onProblem={onProblem}
    />
  );
}
