import { type ResponseBody, useApiMutation, useUser } from '@talpa/panel-kit/core';
import {
  Form,
  FormDialog,
  fields,
  Input,
  PasswordInput,
  useFieldRules,
  useOpening,
} from '@talpa/panel-kit/form';
import { CopyButton, QrCode } from '@talpa/panel-kit/ui';
import { useState } from 'react';
import styles from './second-factor.module.css';
import { useSettingsTexts } from './texts.ts';

type Started = ResponseBody<'POST /api/user/authenticator'>;

interface Props {
  readonly open: boolean;
  readonly onDone: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
}

/**
 * Sets up an authenticator app: the password, then the QR code and a code of the app. Users who leave in between find the
 * same QR code when they come back.
 */
export function SetUpDialog(props: Props) {
  const opening = useOpening(props.open);
  return opening > 0 && <OpenedDialog key={opening} {...props} />;
}

function OpenedDialog({ open, onDone, onClose }: Props) {
  const [started, setStarted] = useState<Started | null>(null);
  return (
    <>
      <PasswordStep open={open && started === null} onStarted={setStarted} onClose={onClose} />
      <AppStep open={open && started !== null} started={started} onDone={onDone} onClose={onClose} />
    </>
  );
}

function PasswordStep(props: {
  readonly open: boolean;
  readonly onStarted: (started: Started) => void;
  readonly onClose: () => void;
}) {
  const t = useSettingsTexts();
  const user = useUser();
  const rules = useFieldRules();
  const { mutateAsync } = useApiMutation('POST /api/user/authenticator');
  return (
    <FormDialog<{ readonly password: string }>
      open={props.open}
      title={t('setUp.title')}
      submit={t('setUp.next')}
      failed={t('setUp.failed')}
      asks={false}
      values={{ password: '' }}
      onSubmit={async (values) => props.onStarted(await mutateAsync(values))}
      onClose={props.onClose}
    >
      <p className={styles.text}>{t('setUp.text')}</p>
      <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
      <Form.Item name="password" label={t('setUp.password')} rules={rules(fields.givenPassword)}>
        <PasswordInput autoComplete="current-password" />
      </Form.Item>
    </FormDialog>
  );
}

function AppStep(props: {
  readonly open: boolean;
  readonly started: Started | null;
  readonly onDone: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
}) {
  const t = useSettingsTexts();
  const rules = useFieldRules();
  const { mutateAsync } = useApiMutation('POST /api/user/authenticator/confirmation');
  const { uri = '', secret = '' } = props.started ?? {};
  return (
    <FormDialog<{ readonly code: string }>
      open={props.open}
      title={t('setUp.title')}
      submit={t('setUp.confirm')}
      failed={t('setUp.failed')}
      asks={false}
      values={{ code: '' }}
      onSubmit={async (values) => props.onDone((await mutateAsync(values)).recoveryCodes)}
      onClose={props.onClose}
    >
      <p className={styles.text}>{t('setUp.scan')}</p>
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
