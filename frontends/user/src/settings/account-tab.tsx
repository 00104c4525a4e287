import type { Preferences } from '@talpa/contracts';
import { toast, useSignOut, useUser } from '@talpa/panel-kit/core';
import { Form, fields, Input, showServerIssues, useFieldRules } from '@talpa/panel-kit/form';
import { Button } from '@talpa/panel-kit/ui';
import { PlanLine } from '../subscription/plan-line.tsx';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './settings.module.css';
import { useSavePreferences } from './use-save.ts';

/** The name, which stays, and an email address. */
export function AccountTab({ preferences }: { readonly preferences: Preferences }) {
  const t = useUserTexts();
  const user = useUser();
  const rules = useFieldRules();
  const [form] = Form.useForm<{ email: string }>();
  const { save, isPending } = useSavePreferences();
  const signOut = useSignOut();
  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={false}
      className={styles.form ?? ''}
      initialValues={{ email: preferences.email }}
      onFinish={(values: { email: string }) =>
        save({ ...preferences, email: values.email }, (error) => showServerIssues(form, error))
      }
    >
      <Form.Item
        label={t('settings.username')}
        htmlFor="settings-username"
        extra={t('settings.username.hint')}
      >
        <Input id="settings-username" value={user.username} readOnly />
      </Form.Item>
      <PlanLine />
      <Form.Item name="email" label={t('settings.email')} rules={rules(fields.email)}>
        <Input type="email" autoComplete="email" />
      </Form.Item>
      <div className={styles.buttons}>
        <Button type="primary" htmlType="submit" loading={isPending}>
          {t('settings.save')}
        </Button>
        <Button
          loading={signOut.isPending}
          onClick={() =>
            signOut.mutate(undefined, {
              onError: ({ message }) =>
                toast({ title: t('settings.logoutFailed'), text: message, tone: 'error' }),
            })
          }
        >
          {t('settings.logout')}
        </Button>
      </div>
    </Form>
  );
}
