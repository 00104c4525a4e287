import { planOf, plans, type Tier } from '@talpa/contracts/plans';
import {
  type DescribeField,
  Form,
  fields,
  Input,
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
  readonly proxyLimit: number | string;
}

/** What the form sends. */
export const toRequest = (values: UserValues) => ({ ...values, proxyLimit: Number(values.proxyLimit) });

/** How a changed field of a user is shown. */
export function useDescribeField(): DescribeField {
  const t = useAdminTexts();
  const textOf = (name: string, value: unknown) => {
    if (name === 'isAdmin') return t(value ? 'form.yes' : 'form.no');
    if (name !== 'subscriptionTier') return String(value);
    return value === 'none' ? t('form.tier.none') : planOf(value as Tier).name;
  };
  return (name, value) => ({ label: t(labels[name as keyof typeof labels]), text: textOf(name, value) });
}

const labels = {
  username: 'form.username',
  password: 'form.password',
  isAdmin: 'form.isAdmin',
  subscriptionTier: 'form.tier',
  proxyLimit: 'form.limit',
} as const satisfies Record<keyof UserValues, string>;

/** The fields of the create and the edit form; with `keepPassword` an empty password is allowed. */
export function UserFields({ keepPassword: keep }: { readonly keepPassword: boolean }) {
  const t = useAdminTexts();
  const rules = useFieldRules();
  const form = Form.useFormInstance<UserValues>();
  return (
    <>
      <Form.Item name="username" label={t('form.username')} rules={rules(fields.username)}>
        <Input autoComplete="off" autoCapitalize="none" spellCheck={false} />
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
            form.setFieldValue('proxyLimit', tier === 'none' ? 0 : planOf(tier).proxyLimit)
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
        <Input type="number" min={0} step={1} style={{ maxWidth: 160 }} />
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
