import type { User } from '@talpa/contracts';
import { formatTime, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { Dialog, useOpener, useOpening } from '@talpa/panel-kit/form';
import { LinkShownOnce } from '../secret/shown-once.tsx';
import { useAdminTexts } from '../texts/admin-texts.ts';

interface Props {
  readonly open: boolean;
  readonly user: User;
  readonly onClose: () => void;
}

/** Makes a link with which a user sets a new password, and shows it once. */
export function ResetLinkDialog(props: Props) {
  const opening = useOpening(props.open);
  return opening > 0 && <OpenedDialog key={opening} {...props} />;
}

function OpenedDialog({ open, user, onClose }: Props) {
  const t = useAdminTexts();
  const toast = useToast();
  const giveFocusBack = useOpener(open);
  const { mutate, data: made, isPending } = useApiMutation('POST /api/admin/users/:id/reset-link');
  const name = user.username;
  const create = () =>
    mutate(
      { id: user.id },
      { onError: ({ message }) => toast({ title: t('resetLink.failed'), text: message, tone: 'error' }) },
    );
  return (
    <Dialog
      open={open}
      title={t('resetLink.title')}
      okText={made ? t('close') : t('resetLink.confirm')}
      cancelText={t('bulk.cancel')}
      okButtonProps={{ loading: isPending }}
      cancelButtonProps={made ? { style: { display: 'none' } } : { disabled: isPending }}
      closable={!isPending && { 'aria-label': t('close') }}
      // The link is shown only once: a press beside the dialog must not lose it.
      mask={{ closable: !isPending && !made }}
      keyboard={!isPending}
      onOk={made ? onClose : create}
      onCancel={onClose}
      afterOpenChange={giveFocusBack}
      width={520}
    >
      {made ? (
        <div role="status">
          <p>{t('resetLink.once', { name, until: formatTime(made.expiresAt, 'de') })}</p>
          <LinkShownOnce {...made} />
        </div>
      ) : (
        t('resetLink.text', { name })
      )}
    </Dialog>
  );
}
