import type { Passkey } from '@talpa/contracts';
import { useApiMutation, usePasskeys, useToast } from '@talpa/panel-kit/core';
import { Form, FormDialog, fields, Input, useFieldRules } from '@talpa/panel-kit/form';
import { EndsOthers } from './ends-others.tsx';
import styles from './second-factor.module.css';
import { useSettingsTexts } from './texts.ts';

interface Values {
  readonly name: string;
}

interface Props {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Adds a passkey: a name, and then the browser's own dialog. */
export function AddPasskeyDialog({ open, onClose }: Props) {
  const t = useSettingsTexts();
  const toast = useToast();
  const passkeys = usePasskeys();
  const { mutateAsync: start } = useApiMutation('POST /api/user/passkeys/challenge');
  const { mutateAsync: add } = useApiMutation('POST /api/user/passkeys');
  const submit = async ({ name }: Values) => {
    const passkey = await passkeys.make(await start({}));
    const added = await add({ name, passkey });
    onClose();
    toast({ title: t('addPasskey.done'), text: added.name, tone: 'success' });
  };
  return (
    <FormDialog<Values>
      open={open}
      title={t('addPasskey.title')}
      submit={t('addPasskey.submit')}
      failed={t('addPasskey.failed')}
      asks={false}
      values={{ name: '' }}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={styles.text}>{t('addPasskey.text')}</p>
      <EndsOthers />
      <NameField />
    </FormDialog>
  );
}

/** Renames a passkey. */
export function RenamePasskeyDialog(
  props: Props & {
    readonly passkey: Passkey;
    /** It was removed elsewhere. */
    readonly isGone: boolean;
  },
) {
  const t = useSettingsTexts();
  const toast = useToast();
  const { mutateAsync } = useApiMutation('PUT /api/user/passkeys/:id');
  const { id, name: stored } = props.passkey;
  const submit = async ({ name }: Values, base: Partial<Values>) => {
    await mutateAsync({ id, name, expected: { name: base.name ?? stored } });
    props.onClose();
    toast({ title: t('renamePasskey.done'), text: name, tone: 'success' });
  };
  return (
    <FormDialog<Values>
      open={props.open}
      title={t('renamePasskey.title')}
      submit={t('save')}
      failed={t('renamePasskey.failed')}
      values={{ name: stored }}
      describe={(_name, value) => ({ label: t('passkeys.name'), text: String(value) })}
      isGone={props.isGone}
      onSubmit={submit}
      onClose={props.onClose}
    >
      <NameField />
    </FormDialog>
  );
}

function NameField() {
  const t = useSettingsTexts();
  const rules = useFieldRules();
  return (
    <Form.Item
      name="name"
      label={t('passkeys.name')}
      extra={t('passkeys.nameHint')}
      rules={rules(fields.passkeyName)}
    >
      <Input autoComplete="off" />
    </Form.Item>
  );
}
