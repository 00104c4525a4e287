import { useUser } from '@talpa/panel-kit/core';
import { ShownOnceDialog } from '@talpa/panel-kit/form';
import { Alert, Button, CopyButton } from '@talpa/panel-kit/ui';
import { Download } from 'lucide-react';
import { saveAs } from './save-as.ts';
import styles from './second-factor.module.css';
import { useSettingsTexts } from './texts.ts';

/** Shows recovery codes, once. */
export function RecoveryCodesDialog(props: {
  readonly open: boolean;
  readonly codes: readonly string[];
  readonly onClose: () => void;
}) {
  const t = useSettingsTexts();
  const { username } = useUser();
  const { codes } = props;
  const text = codes.join('\n');
  const save = () =>
    saveAs(
      `talpa-${username}-${t('codes.file')}.txt`,
      `${t('codes.head', { username })}\n\n${text}\n`,
      'text/plain',
    );
  return (
    <ShownOnceDialog
      open={props.open}
      title={t('codes.title')}
      okText={t('codes.saved')}
      onClose={props.onClose}
    >
      <p className={styles.text}>{t('codes.text')}</p>
      <ul className={styles.codes} aria-label={t('codes.title')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <CopyButton text={text} label={t('codes.all')} />
        <Button size="small" icon={<Download size={14} aria-hidden />} onClick={save}>
          {t('codes.download')}
        </Button>
      </div>
      <Alert className={styles.notice ?? ''} type="warning" showIcon title={t('codes.once')} />
    </ShownOnceDialog>
  );
}
