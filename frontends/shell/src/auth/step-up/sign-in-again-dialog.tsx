import {
  endStepUp,
  ownIdentitiesQuery,
  passkeysWork,
  useApiMutation,
  useToast,
  useUser,
} from '@talpa/panel-kit/core';
import { ConfirmDialog } from '@talpa/panel-kit/form';
import { useLocation } from '@talpa/panel-kit/router';
import { useQuery } from '@tanstack/react-query';
import { keepReturn } from '../../return.ts';
import { useAuthTexts } from '../texts.ts';
import { PasskeyProof } from './passkey-proof.tsx';

/** Users without a password and without an app prove their identity by signing in again, at their provider. */
export function SignInAgainDialog({
  open,
  hasPasskey,
}: {
  readonly open: boolean;
  readonly hasPasskey: boolean;
}) {
  const t = useAuthTexts();
  const toast = useToast();
  const { id: by } = useUser();
  const { pathname, search } = useLocation();
  const { data: identities } = useQuery({ ...ownIdentitiesQuery, enabled: open });
  const { mutateAsync: start, isPending } = useApiMutation('POST /api/login/provider/request');
  const provider = identities?.find((one) => one.provider !== null)?.provider;
  const leave = async () => {
    if (!provider) return endStepUp(false);
    try {
      const { url } = await start({ provider: provider.id });
      keepReturn({ path: `${pathname}${search}`, by });
      window.location.assign(url);
    } catch (error) {
      toast({ title: t('stepUp.failed'), text: (error as Error).message, tone: 'error' });
    }
  };
  return (
    <ConfirmDialog
      open={open}
      title={t('stepUp.title')}
      confirm={t('stepUp.again.submit')}
      pending={isPending}
      onConfirm={() => void leave()}
      onCancel={() => endStepUp(false)}
    >
      <p>{t('stepUp.again.text')}</p>
      {hasPasskey && passkeysWork() && <PasskeyProof />}
    </ConfirmDialog>
  );
}
