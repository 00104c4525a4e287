import { Dialog } from '@talpa/panel-kit/form';
import { Alert, CopyButton } from '@talpa/panel-kit/ui';
import styles from './channels.module.css';
import { useChannelTexts } from './texts.ts';

/** Shows the secret of a webhook, once. */
export function SecretDialog(props: {
  readonly open: boolean;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  const t = useChannelTexts();
  return (
    <Dialog
      open={props.open}
      title={t('secret.title')}
      okText={t('secret.saved')}
      cancelButtonProps={{ style: { display: 'none' } }}
      closable={false}
      // It is shown only once: neither Escape nor a press beside the dialog may lose it.
      keyboard={false}
      mask={{ closable: false }}
      onOk={props.onClose}
      onCancel={props.onClose}
      width={520}
    >
      <p className={styles.text}>{t('secret.text')}</p>
      <div className={styles.secret}>
        <code className="secret">{props.secret}</code>
        <CopyButton text={props.secret} label={t('secret.label')} />
      </div>
      <Alert className={styles.notice ?? ''} type="warning" showIcon title={t('secret.once')} />
    </Dialog>
  );
}
