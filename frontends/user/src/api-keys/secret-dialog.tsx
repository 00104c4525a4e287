import { ShownOnceDialog } from '@talpa/panel-kit/form';
import { Alert, CopyButton } from '@talpa/panel-kit/ui';
import styles from './api-keys.module.css';
import { useApiKeyTexts } from './texts.ts';

/** Shows a new API key, once. */
export function SecretDialog(props: {
  readonly open: boolean;
  readonly name: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  const t = useApiKeyTexts();
  return (
    <ShownOnceDialog
      open={props.open}
      title={t('secret.title')}
      okText={t('secret.saved')}
      onClose={props.onClose}
    >
      <p className={styles.text}>{t('secret.text', { name: props.name })}</p>
      <div className={styles.secret}>
        <code className="secret">{props.secret}</code>
        <CopyButton text={props.secret} label={t('secret.label')} />
      </div>
      <Alert className={styles.once ?? ''} type="warning" showIcon title={t('secret.once')} />
    </ShownOnceDialog>
  );
}
