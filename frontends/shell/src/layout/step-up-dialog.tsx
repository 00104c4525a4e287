import { endStepUp, useApiMutation, useUser } from '@talpa/panel-kit/core';
import { Form, FormDialog, fields, Input, PasswordInput, useFieldRules } from '@talpa/panel-kit/form';
import { useShellTexts } from '../texts/shell-texts.ts';

/** What users prove their identity with. */
export type ProvedBy = 'code' | 'password';

interface Values {
  readonly password?: string;
  readonly code?: string;
}

/** Users prove their identity with a code of the second factor, or with the password if they have none. */
export function StepUpDialog({ open, by }: { readonly open: boolean; readonly by: ProvedBy }) {
  const t = useShellTexts();
  const user = useUser();
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
        <Form.Item
          name="code"
          label={t('stepUp.code')}
          extra={t('stepUp.code.hint')}
          rules={rules(fields.factorCode)}
        >
          <Input autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} />
        </Form.Item>
      ) : (
        <>
          {/* So that a password manager knows whose password it is. */}
          <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
          <Form.Item name="password" label={t('auth.password')} rules={rules(fields.givenPassword)}>
            <PasswordInput autoComplete="current-password" />
          </Form.Item>
        </>
      )}
    </FormDialog>
  );
}
