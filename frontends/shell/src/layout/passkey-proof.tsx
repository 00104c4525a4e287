import { endStepUp, useApiMutation, usePasskeys } from '@talpa/panel-kit/core';
import { Alert, Button } from '@talpa/panel-kit/ui';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { useShellTexts } from '../texts/shell-texts.ts';

/** In the dialog of a step-up: a passkey in place of what the field asks for. */
export function PasskeyProof() {
  const t = useShellTexts();
  const passkeys = usePasskeys();
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const { mutateAsync: start } = useApiMutation('POST /api/user/step-up/challenge');
  const { mutateAsync: prove } = useApiMutation('POST /api/user/step-up');
  const press = async () => {
    setPending(true);
    setProblem(null);
    try {
      await prove({ passkey: await passkeys.use(await start({})) });
      endStepUp(true);
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      {problem && (
        <Alert
          type="error"
          showIcon
          title={t('stepUp.failed')}
          description={problem}
          role="alert"
          style={{ marginBottom: 16 }}
        />
      )}
      <Button
        block
        icon={<Fingerprint size={16} aria-hidden />}
        loading={pending}
        onClick={() => void press()}
      >
        {t('auth.passkey')}
      </Button>
    </>
  );
}
