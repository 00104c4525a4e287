import { endStepUp, passkeysWork, useApiMutation } from '@talpa/panel-kit/core';
import {
  FactorCodeField,
  Form,
  FormDialog,
  fields,
  HiddenUsername,
  PasswordInput,
  useFieldRules,
} from '@talpa/panel-kit/form';
import { useShellTexts } from '../texts/shell-texts.ts';
import { PasskeyProof } from './passkey-proof.tsx';

/** What users prove their identity with. */
export type ProvedBy = 'code' | 'password';

interface Values {
  readonly password?: string;
  readonly code?: string;
}

/** Users prove their identity with a code of the app, or with the password if they have none; or with a passkey. */
export function StepUpDialog({
  open,
  by,
  hasPasskey,
}: {
  readonly open: boolean;
  readonly by: ProvedBy;
  readonly hasPasskey: boolean;
}) {
  const t = useShellTexts();
  const rules = useFieldRules();
  const { mutateAsync } = useApiMutation('POST /api/user/step-up');
  return (
    <FormDialog<Values>
      open={open}
      title={t('stepUp.title')}
      submit={t('stepUp.submit')}
      failed={t('stepUp.failed')}
      asks={false}
      values={{ [by]: '' }}
      onSubmit={async (values) => {
        await mutateAsync(values);
        endStepUp(true);
      }}
      onClose={() => endStepUp(false)}
    >
      <p>{t(`stepUp.${by}.text`)}</p>
      {by === 'code' ? (
        <FactorCodeField />
      ) : (
        <>
          <HiddenUsername />
          <Form.Item name="password" label={t('auth.password')} rules={rules(fields.givenPassword)}>
            <PasswordInput autoComplete="current-password" />
          </Form.Item>
        </>
      )}
      {hasPasskey && passkeysWork() && <PasskeyProof />}
    </FormDialog>
  );
}
