import { longestTokenDays, suggestedTokenDays } from '@talpa/contracts/access-limits';
import { serviceTokenHeader } from '@talpa/contracts/service-token-header';
import { type ResponseBody, useApiMutation } from '@talpa/panel-kit/core';
import {
  Form,
  FormDialog,
  fields,
  Input,
  Select,
  ShownOnceDialog,
  useFieldRules,
} from '@talpa/panel-kit/form';
import { Alert, CopyButton } from '@talpa/panel-kit/ui';
import styles from './access.module.css';
import { useAccessTexts } from './texts.ts';

interface Values {
  readonly name: string;
  /** 0: without end. */
  readonly days: number;
}
const endless = 0;
const dayChoices = [30, suggestedTokenDays, longestTokenDays, endless];
const first: Values = { name: '', days: suggestedTokenDays };

/** Creates a service token of a proxy. */
export function CreateTokenDialog(props: {
  readonly open: boolean;
  readonly proxyId: number;
  readonly onCreated: (created: ResponseBody<'POST /api/tunnel-configs/:id/service-tokens'>) => void;
  readonly onClose: () => void;
}) {
  const t = useAccessTexts();
  const { mutateAsync } = useApiMutation('POST /api/tunnel-configs/:id/service-tokens');
  const submit = async ({ name, days }: Values) => {
    props.onCreated(await mutateAsync({ id: props.proxyId, name, days: days === endless ? null : days }));
  };
  return (
    <FormDialog<Values>
      open={props.open}
      title={t('tokens.form.title')}
      submit={t('tokens.form.submit')}
      failed={t('tokens.form.failed')}
      values={first}
      onSubmit={submit}
      onClose={props.onClose}
    >
      <TokenFields />
    </FormDialog>
  );
}

function TokenFields() {
  const t = useAccessTexts();
  const rules = useFieldRules();
  return (
    <>
      <Form.Item
        name="name"
        label={t('tokens.form.name')}
        extra={t('tokens.form.nameHint')}
        rules={rules(fields.serviceTokenName)}
      >
        <Input autoComplete="off" />
      </Form.Item>
      <Form.Item name="days" label={t('tokens.form.days')}>
        <Select
          options={dayChoices.map((value) => ({
            value,
            label: value === endless ? t('tokens.never') : t('form.days', { count: value }),
          }))}
        />
      </Form.Item>
    </>
  );
}

/** Shows a new token, once. */
export function TokenSecretDialog(props: {
  readonly open: boolean;
  readonly name: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  const t = useAccessTexts();
  return (
    <ShownOnceDialog
      open={props.open}
      title={t('tokens.secret.title')}
      okText={t('tokens.secret.saved')}
      onClose={props.onClose}
    >
      <p>{t('tokens.secret.text', { name: props.name })}</p>
      <div className={styles.secret}>
        <code className="secret">{props.secret}</code>
        <CopyButton text={props.secret} label={t('tokens.secret.label')} />
      </div>
      <p>
        {t('tokens.secret.header')} <code>{serviceTokenHeader}</code>
      </p>
      <Alert type="warning" showIcon title={t('tokens.secret.once')} />
    </ShownOnceDialog>
  );
}
