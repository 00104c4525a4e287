import { useApiMutation, useToast } from '@talpa/panel-kit/core';
import { FactorCodeField, FormDialog } from '@talpa/panel-kit/form';
import styles from './second-factor.module.css';
import { useSettingsTexts } from './texts.ts';

interface Values {
  readonly code: string;
}

/** Makes new recovery codes. */
export function NewCodesDialog(props: {
  readonly open: boolean;
  readonly onDone: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
}) {
  const t = useSettingsTexts();
  const { mutateAsync } = useApiMutation('POST /api/user/recovery-codes');
  return (
    <FormDialog<Values>
      open={props.open}
      title={t('newCodes.title')}
      submit={t('newCodes.submit')}
      failed={t('newCodes.failed')}
      asks={false}
      values={{ code: '' }}
      onSubmit={async (values) => props.onDone((await mutateAsync(values)).recoveryCodes)}
      onClose={props.onClose}
    >
      <p className={styles.text}>{t('newCodes.text')}</p>
      <FactorCodeField />
    </FormDialog>
  );
}

/** Removes the authenticator app. */
export function RemoveAppDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const t = useSettingsTexts();
  const toast = useToast();
  const { mutateAsync } = useApiMutation('POST /api/user/authenticator/removal');
  const submit = async (values: Values) => {
    await mutateAsync(values);
    onClose();
    toast({ title: t('removeApp.done'), text: t('removeApp.doneText'), tone: 'success' });
  };
  return (
    <FormDialog<Values>
      open={open}
      title={t('removeApp.title')}
      submit={t('removeApp.submit')}
      failed={t('removeApp.failed')}
      danger
      asks={false}
      values={{ code: '' }}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={styles.text}>{t('removeApp.text')}</p>
      <FactorCodeField />
    </FormDialog>
  );
}
