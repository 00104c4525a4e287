import { planOf, plans, type Tier } from '@talpa/contracts/plans';
import {
  Form,
  type FormInstance,
  fields,
  Input,
  InputNumber,
  PasswordInput,
  Select,
  Switch,
  useFieldRules,
} from '@talpa/panel-kit/form';
import { useAdminTexts } from '../texts/admin-texts.ts';

/** What a user is made from; `none` is no plan. */
export interface UserValues {
  readonly username: string;
  readonly password: string;
  readonly isAdmin: boolean;
  readonly subscriptionTier: Tier | 'none';
  readonly proxyLimit: number;
}

/** The fields of the create and the edit form; with `keepPassword` an empty password is allowed. */
export function UserFields(props: {
  readonly form: FormInstance<UserValues>;
  readonly keepPassword: boolean;
}) {
  const t = useAdminTexts();
  const rules = useFieldRules();
  const keep = props.keepPassword;
  return (
    <>
      <Form.Item name="username" label={t('form.username')} rules={rules(fields.username)}>
        <Input autoFocus autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="password"
        label={t('form.password')}
        extra={keep ? t('form.password.keep') : null}
        rules={rules(fields.newPassword, { optional: keep })}
      >
        <PasswordInput autoComplete="new-password" />
      </Form.Item>
      <Form.Item name="subscriptionTier" label={t('form.tier')}>
        <Select
          onChange={(tier: UserValues['subscriptionTier']) =>
            props.form.setFieldValue('proxyLimit', tier === 'none' ? 0 : planOf(tier).proxyLimit)
          }
          options={[
            { value: 'none', label: t('form.tier.none') },
            ...plans.map((plan) => ({ value: plan.id, label: plan.name })),
          ]}
        />
      </Form.Item>
      <Form.Item
        name="proxyLimit"
        label={t('form.limit')}
        extra={t('form.limit.hint')}
        rules={rules(fields.proxyLimit)}
      >
        <InputNumber min={0} precision={0} style={{ width: 160 }} />
      </Form.Item>
      <Form.Item
        name="isAdmin"
        label={t('form.isAdmin')}
        extra={t('form.isAdmin.hint')}
        valuePropName="checked"
      >
        <Switch />
      </Form.Item>
    </>
  );
}
