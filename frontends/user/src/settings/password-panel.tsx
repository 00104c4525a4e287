import { secondFactorQuery, useApiMutation, useToast, useUnsaved } from '@talpa/panel-kit/core';
import {
  clearErrors,
  differs,
  Form,
  fields,
  focusFirstError,
  HiddenUsername,
  PasswordInput,
  useFieldRules,
  useRepetitionRule,
  useSubmit,
} from '@talpa/panel-kit/form';
import { Alert, Button, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import styles from './settings.module.css';
import { useSettingsTexts } from './texts.ts';

interface Values {
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly repeated: string;
}
const empty: Values = { currentPassword: '', newPassword: '', repeated: '' };

/** Changes the user's password, or sets the first one, which ends all other sessions. */
export function PasswordPanel() {
  const t = useSettingsTexts();
  const toast = useToast();
  const repetition = useRepetitionRule('newPassword');
  const rules = useFieldRules();
  const [form] = Form.useForm<Values>();
  const { data: factor } = useQuery(secondFactorQuery);
  const isFirst = factor?.hasPassword === false;
  const { mutateAsync } = useApiMutation('POST /api/user/password');
  const { submit, pending, problem } = useSubmit(form, async ({ currentPassword, newPassword }: Values) => {
    await mutateAsync({ newPassword, ...(isFirst ? {} : { currentPassword }) });
    form.resetFields();
    toast({
      title: t(isFirst ? 'password.first.done' : 'password.done'),
      text: t('password.doneText'),
      tone: 'success',
    });
  });
  useUnsaved(() => differs(form.getFieldsValue(), empty), { spansTabs: true });
  return (
    <Form<Values>
      noValidate
      form={form}
      layout="vertical"
      requiredMark={false}
      validateTrigger="onSubmit"
      className={styles.cell ?? ''}
      initialValues={empty}
      onValuesChange={clearErrors(form)}
      onFinish={submit}
      onFinishFailed={focusFirstError(form)}
    >
      <Panel
        title={t(isFirst ? 'password.first' : 'password')}
        footer={
          <div className={styles.bar}>
            <Button htmlType="submit" loading={pending}>
              {t(isFirst ? 'password.first' : 'password.submit')}
            </Button>
          </div>
        }
      >
        <div className={styles.form}>
          <p className={styles.text}>{t(isFirst ? 'password.first.text' : 'password.text')}</p>
          {problem && <Alert type="error" showIcon title={t('password.failed')} description={problem} />}
          <HiddenUsername />
          {!isFirst && (
            <Form.Item
              name="currentPassword"
              label={t('password.current')}
              rules={rules(fields.givenPassword)}
            >
              <PasswordInput autoComplete="current-password" />
            </Form.Item>
          )}
          <Form.Item
            name="newPassword"
            label={t('password.new')}
            extra={t('password.bounds', {
              minimum: fields.newPassword.minLength ?? 0,
              maximum: fields.newPassword.maxLength ?? 0,
            })}
            rules={rules(fields.newPassword)}
          >
            <PasswordInput autoComplete="new-password" />
          </Form.Item>
          <Form.Item name="repeated" label={t('password.repeat')} rules={[repetition]}>
            <PasswordInput autoComplete="new-password" />
          </Form.Item>
        </div>
      </Panel>
    </Form>
  );
}
