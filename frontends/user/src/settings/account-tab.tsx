import type { Preferences } from '@talpa/contracts';
import { secondFactorQuery, useSignOut, useToast, useUser } from '@talpa/panel-kit/core';
import {
  clearErrors,
  Form,
  type FormInstance,
  fields,
  focusFirstError,
  Input,
  useFieldRules,
} from '@talpa/panel-kit/form';
import { Awaited, Button, Columns, Facts, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useEffect } from 'react';
import { PlanLine } from '../subscription/plan-line.tsx';
import { DeletePanel } from './delete-panel.tsx';
import { EmailState } from './email-state.tsx';
import { ExportPanel } from './export-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import styles from './settings.module.css';
import type { TabProps } from './tab.ts';
import { useSettingsTexts } from './texts.ts';

type Values = Pick<Preferences, 'email'>;

/** Username and email address, the password, the export of all data, and the account's deletion. */
export function AccountTab({ form, ...props }: TabProps & { readonly form: FormInstance<Values> }) {
  // What the password's panel asks for depends on it.
  const { isLoading } = useQuery(secondFactorQuery);
  return (
    <Columns>
      {isLoading && <Awaited />}
      <AccountPanel form={form} {...props} />
      <PasswordPanel />
      <ExportPanel />
      <DeletePanel />
    </Columns>
  );
}

function AccountPanel({
  form,
  draft,
  change,
  onSave,
  bar,
}: TabProps & { readonly form: FormInstance<Values> }) {
  const t = useSettingsTexts();
  const user = useUser();
  const rules = useFieldRules();
  const clear = clearErrors(form);
  // Discarded, or changed elsewhere.
  useEffect(() => {
    if (form.getFieldValue('email') !== draft.email) form.setFieldsValue({ email: draft.email });
  }, [form, draft.email]);
  return (
    <Form<Values>
      noValidate
      form={form}
      layout="vertical"
      requiredMark={false}
      validateTrigger="onSubmit"
      className={styles.cell ?? ''}
      initialValues={{ email: draft.email }}
      onValuesChange={(changed: Partial<Values>) => {
        clear(changed);
        change(changed);
      }}
      onFinish={onSave}
      onFinishFailed={focusFirstError(form)}
    >
      <Panel title={t('account')} extra={<LogoutButton />} footer={bar}>
        <div className={styles.form}>
          <Facts facts={[[t('username'), user.username]]} as="tiles" />
          <PlanLine />
          <Form.Item name="email" label={t('email')} rules={rules(fields.email)}>
            <Input type="email" autoComplete="email" />
          </Form.Item>
          <EmailState />
        </div>
      </Panel>
    </Form>
  );
}

function LogoutButton() {
  const t = useSettingsTexts();
  const toast = useToast();
  const { mutate, isPending } = useSignOut();
  return (
    <Button
      icon={<LogOut size={15} aria-hidden />}
      loading={isPending}
      onClick={() =>
        mutate(undefined, {
          onError: ({ message }) => toast({ title: t('logout.failed'), text: message, tone: 'error' }),
        })
      }
    >
      {t('logout')}
    </Button>
  );
}
