import { ShownOnceDialog } from '@talpa/panel-kit/form';
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
    <ShownOnceDialog
      open={props.open}
      title={t('secret.title')}
      okText={t('secret.saved')}
      onClose={props.onClose}
    >
      <p className={styles.text}>{t('secret.text')}</p>
      <div className={styles.secret}>
        <code className="secret">{props.secret}</code>
        <CopyButton text={props.secret} label={t('secret.label')} />
      </div>
      <Alert className={styles.notice ?? ''} type="warning" showIcon title={t('secret.once')} />
    </ShownOnceDialog>
  );
}
