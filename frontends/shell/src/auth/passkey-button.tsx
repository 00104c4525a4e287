import { passkeysWork, useApiMutation, usePasskeys, useSignIn, useToast } from '@talpa/panel-kit/core';
import { Button } from '@talpa/panel-kit/ui';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { useShellTexts } from '../texts/shell-texts.ts';

/**
 * Signs in with a passkey, without a name and a password. It is not there where passkeys do not work.
 * @param onProblem gets why it was refused; null: it is tried again
 */
export function PasskeyButton({ onProblem }: { readonly onProblem: (problem: string | null) => void }) {
  const t = useShellTexts();
  const toast = useToast();
  const passkeys = usePasskeys();
  const [pending, setPending] = useState(false);
  const { mutateAsync: start } = useApiMutation('POST /api/login/passkey/challenge');
  const { mutateAsync: signIn } = useSignIn('POST /api/login/passkey');
  if (!passkeysWork()) return null;
  const press = async () => {
    setPending(true);
    onProblem(null);
    try {
      const { username: name } = await signIn({ passkey: await passkeys.use(await start({})) });
      toast({ title: t('auth.login.done'), text: t('auth.login.doneText', { name }), tone: 'success' });
    } catch (error) {
      onProblem((error as Error).message);
    } finally {
      setPending(false);
    }
  };
  return (
    <Button
      size="large"
      block
      icon={<Fingerprint size={16} aria-hidden />}
      loading={pending}
      onClick={() => void press()}
    >
      {t('auth.passkey')}
    </Button>
  );
}
