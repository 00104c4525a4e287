import type { ProxyAccess, WallMethod } from '@talpa/contracts';
import { mostListedEmails } from '@talpa/contracts/access-limits';
import { useLanguage } from '@talpa/panel-kit/core';
import {
  Checkbox,
  Form,
  fields,
  Input,
  issueText,
  PasswordInput,
  Select,
  useFieldRules,
} from '@talpa/panel-kit/form';
import styles from './access.module.css';
import { emailsIn, type PolicyValues } from './policy-values.ts';
import { useAccessTexts } from './texts.ts';

const dayChoices = [1, 7, 30];

/** How visitors pass the wall. */
export function WallFields({
  access,
  isUsed,
  isSimple,
}: {
  readonly access: ProxyAccess;
  /** Whether the chosen kind has one. */
  readonly isUsed: boolean;
  /** Whether a preset decides about all but the secrets. */
  readonly isSimple: boolean;
}) {
  const t = useAccessTexts();
  const language = useLanguage();
  const form = Form.useFormInstance<PolicyValues>();
  const methods = Form.useWatch('methods', form) ?? [];
  const days = Form.useWatch('days', form) ?? 7;
  const missing = [
    ...(access.signIn ? [] : (['form.noSignIn'] as const)),
    ...(access.email ? [] : (['form.noEmail'] as const)),
  ];
  /** One that is on can still be turned off. */
  const isClosed = (method: WallMethod) =>
    !methods.includes(method) &&
    ((method === 'member' && !access.signIn) || (method === 'email' && !access.email));
  const choices = [...new Set([...dayChoices, days])].sort((a, b) => a - b);
  return (
    <>
      <Form.Item
        name="methods"
        hidden={isSimple}
        label={t('form.methods')}
        {...(missing.length > 0 ? { extra: missing.map((text) => t(text)).join(' ') } : {})}
        rules={[
          {
            validator: async (_rule, chosen: readonly WallMethod[]) => {
              if (isUsed && chosen.length === 0) throw new Error(issueText('methodRequired', language));
            },
          },
        ]}
      >
        <Checkbox.Group className={styles.inLine ?? ''}>
          {(['member', 'pin', 'password', 'email'] as const).map((method) => (
            <Checkbox key={method} value={method} disabled={isClosed(method)}>
              {t(`method.${method}`)}
            </Checkbox>
          ))}
        </Checkbox.Group>
      </Form.Item>
      <Secret of="pin" isSet={access.secrets.pin} isShown={isUsed && methods.includes('pin')} />
      <Secret
        of="password"
        isSet={access.secrets.password}
        isShown={isUsed && methods.includes('password')}
      />
      <Emails isShown={isUsed && methods.includes('email')} />
      <div className={styles.pair}>
        <Form.Item name="require" label={t('form.require')} hidden={isSimple || methods.length < 2}>
          <Select
            options={(['any', 'all'] as const).map((value) => ({ value, label: t(`require.${value}`) }))}
          />
        </Form.Item>
        <Form.Item
          name="days"
          hidden={isSimple}
          label={t('form.duration')}
          extra={`${t('form.ends')} ${t(access.signIn ? 'form.ownAccount' : 'form.noOwnAccount')}`}
        >
          <Select options={choices.map((value) => ({ value, label: t('form.days', { count: value }) }))} />
        </Form.Item>
      </div>
    </>
  );
}

/** Whether a wall lets browsers' questions before a request through. */
export function PreflightsField() {
  const t = useAccessTexts();
  return (
    <Form.Item name="preflights" valuePropName="checked" extra={t('form.preflights.hint')}>
      <Checkbox>{t('form.preflights')}</Checkbox>
    </Form.Item>
  );
}

/** Who gets a code. */
function Emails({ isShown }: { readonly isShown: boolean }) {
  const t = useAccessTexts();
  const language = useLanguage();
  return (
    <Form.Item
      name="emails"
      label={t('form.emails')}
      extra={t('form.emails.hint', { count: mostListedEmails })}
      hidden={!isShown}
      rules={[
        {
          validator: async (_rule, text: string) => {
            if (!isShown) return;
            const emails = emailsIn(text);
            const wrong = emails.find((one) => !fields.listedEmail.safeParse(one).success);
            if (wrong !== undefined) throw new Error(t('form.emails.wrong', { text: wrong }));
            if (emails.length === 0) throw new Error(issueText('wallEmails', language));
            if (emails.length > mostListedEmails) throw new Error(issueText('emailsTooMany', language));
          },
        },
      ]}
    >
      {/* Not autoSize: it measures with an inline style, which the page’s policy forbids. */}
      <Input.TextArea autoComplete="off" inputMode="email" spellCheck={false} rows={4} />
    </Form.Item>
  );
}

function Secret(props: {
  readonly of: 'pin' | 'password';
  readonly isSet: boolean;
  readonly isShown: boolean;
}) {
  const t = useAccessTexts();
  const rules = useFieldRules();
  const { of, isSet, isShown } = props;
  const hint = isSet ? `${t(`form.${of}.hint`)} ${t('form.kept')}` : t(`form.${of}.hint`);
  const schema = of === 'pin' ? fields.wallPin : fields.wallPassword;
  return (
    <Form.Item
      name={of}
      label={t(`form.${of}`)}
      extra={hint}
      hidden={!isShown}
      rules={isShown ? rules(schema, { optional: isSet }) : []}
    >
      {of === 'pin' ? (
        <Input autoComplete="off" inputMode="numeric" />
      ) : (
        <PasswordInput autoComplete="new-password" />
      )}
    </Form.Item>
  );
}
