import type { PasskeyAuthentication, PasskeyRequestOptions } from '@talpa/contracts';
import { usePasskeys } from '@talpa/panel-kit/core';
import { Button } from '@talpa/panel-kit/ui';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { useAuthTexts } from './texts.ts';

interface Props {
  readonly size?: 'large';
  /** Requests the challenge. */
  readonly start: () => Promise<PasskeyRequestOptions>;
  /** Sends the browser's response. */
  readonly finish: (passkey: PasskeyAuthentication) => Promise<void>;
  /** Gets the error's text, and null when a new attempt begins. */
  readonly onProblem: (problem: string | null) => void;
}

/** Has the browser use a passkey. */
export function PasskeyButton({ size, start, finish, onProblem }: Props) {
  const t = useAuthTexts();
  const passkeys = usePasskeys();
  const [pending, setPending] = useState(false);
  const press = async () => {
    setPending(true);
    onProblem(null);
    try {
      await finish(await passkeys.use(await start()));
    } catch (error) {
      onProblem((error as Error).message);
    } finally {
      setPending(false);
    }
  };
  return (
    <Button
      block
      {...(size ? { size } : {})}
      icon={<Fingerprint size={16} aria-hidden />}
      loading={pending}
      onClick={() => void press()}
    >
      {t('auth.passkey')}
    </Button>
  );
}
