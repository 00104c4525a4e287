import type { User } from '@talpa/contracts';
import { formatTime, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { Dialog, useOpener, useOpening } from '@talpa/panel-kit/form';
import { CopyButton } from '@talpa/panel-kit/ui';
import { useAdminTexts } from '../texts/admin-texts.ts';
import styles from './person.module.css';

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
  const link = made && (made.url ?? `${window.location.origin}${made.path}`);
  return (
    <Dialog
      open={open}
      title={t('resetLink.title')}
      okText={made ? t('resetLink.close') : t('resetLink.confirm')}
      cancelText={t('bulk.cancel')}
      okButtonProps={{ loading: isPending }}
      cancelButtonProps={made ? { style: { display: 'none' } } : { disabled: isPending }}
      closable={!isPending && { 'aria-label': t('resetLink.close') }}
      // The link is shown only once: a press beside the dialog must not lose it.
      mask={{ closable: !isPending && !made }}
      keyboard={!isPending}
      onOk={made ? onClose : create}
      onCancel={onClose}
      afterOpenChange={giveFocusBack}
      width={520}
    >
      {made && link ? (
        <div className={styles.resetLink} role="status">
          <p>{t('resetLink.once', { name, until: formatTime(made.expiresAt, 'de') })}</p>
          <div className={styles.link}>
            <code className="secret">{link}</code>
            <CopyButton text={link} label={t('resetLink.link')} />
          </div>
          {made.url === null && <p className={styles.note}>{t('resetLink.ownAddress')}</p>}
        </div>
      ) : (
        t('resetLink.text', { name })
      )}
    </Dialog>
  );
}
