import { type ResponseBody, useApiMutation } from '@talpa/panel-kit/core';
import { Form, FormDialog, fields, Input, useFieldRules } from '@talpa/panel-kit/form';
import { CopyButton, QrCode } from '@talpa/panel-kit/ui';
import { EndsOthers } from './ends-others.tsx';
import styles from './second-factor.module.css';
import { useSettingsTexts } from './texts.ts';

/** What an app needs. */
export type Started = ResponseBody<'POST /api/user/authenticator'> & {
  /** There is an app that counts until the new one does. */
  readonly isReplacing: boolean;
};

/**
 * Sets up an authenticator app with a QR code and a code of the app. Users who leave in between find the same QR code when
 * they come back.
 */
export function SetUpDialog(props: {
  readonly open: boolean;
  readonly started: Started | null;
  readonly onDone: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
}) {
  const t = useSettingsTexts();
  const rules = useFieldRules();
  const { mutateAsync } = useApiMutation('POST /api/user/authenticator/confirmation');
  const { uri = '', secret = '', isReplacing = false } = props.started ?? {};
  return (
    <FormDialog<{ readonly code: string }>
      open={props.open}
      title={t(isReplacing ? 'replace.title' : 'setUp.title')}
      submit={t(isReplacing ? 'replace.confirm' : 'setUp.confirm')}
      failed={t(isReplacing ? 'replace.failed' : 'setUp.failed')}
      asks={false}
      values={{ code: '' }}
      onSubmit={async (values) => props.onDone((await mutateAsync(values)).recoveryCodes)}
      onClose={props.onClose}
    >
      {isReplacing && <p className={styles.text}>{t('replace.text')}</p>}
      <p className={styles.text}>{t('setUp.scan')}</p>
      <EndsOthers />
      <div className={styles.app}>
        <QrCode text={uri} label={t('setUp.qr')} />
        <div className={styles.secret}>
          <p className={styles.text}>{t('setUp.typed')}</p>
          <code className={styles.code}>{(secret.match(/.{1,4}/g) ?? []).join(' ')}</code>
          <CopyButton text={secret} label={t('setUp.secret')} />
        </div>
      </div>
      <Form.Item
        name="code"
        label={t('setUp.code')}
        extra={t('setUp.codeHint')}
        rules={rules(fields.appCode)}
      >
        <Input autoComplete="one-time-code" inputMode="numeric" spellCheck={false} />
      </Form.Item>
    </FormDialog>
  );
}
