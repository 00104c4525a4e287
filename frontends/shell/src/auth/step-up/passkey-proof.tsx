import { endStepUp, useApiMutation } from '@talpa/panel-kit/core';
import { Alert } from '@talpa/panel-kit/ui';
import { useState } from 'react';
import { PasskeyButton } from '../passkey-button.tsx';
import { useAuthTexts } from '../texts.ts';

/** In the dialog of a step-up: a passkey in place of what the field asks for. */
export function PasskeyProof() {
  const t = useAuthTexts();
  const [problem, setProblem] = useState<string | null>(null);
  const { mutateAsync: start } = useApiMutation('POST /api/user/step-up/challenge');
  const { mutateAsync: prove } = useApiMutation('POST /api/user/step-up');
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
      <PasskeyButton
        start={() => start({})}
        finish={async (passkey) => {
          await prove({ passkey });
          endStepUp(true);
        }}
        onProblem={setProblem}
      />
    </>
  );
}
