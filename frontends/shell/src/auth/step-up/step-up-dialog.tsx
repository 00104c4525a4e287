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
import { useAuthTexts } from '../texts.ts';
import { PasskeyProof } from './passkey-proof.tsx';
import { SignInAgainDialog } from './sign-in-again-dialog.tsx';

/** What users prove their identity with. */
export type ProvedBy = 'code' | 'password' | 'signIn';

interface Shown {
  readonly open: boolean;
  readonly hasPasskey: boolean;
}

interface Values {
  readonly password?: string;
  readonly code?: string;
}

/** Users prove their identity with a code of the app, or with the password if they have none, or by signing in again; or with a passkey. */
export function StepUpDialog({ by, ...rest }: Shown & { readonly by: ProvedBy }) {
  return by === 'signIn' ? <SignInAgainDialog {...rest} /> : <ProofDialog by={by} {...rest} />;
}

function ProofDialog({ open, by, hasPasskey }: Shown & { readonly by: 'code' | 'password' }) {
  const t = useAuthTexts();
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
