import type { ProxyConfig, Scope } from '@talpa/contracts';
import { suggestedKeyDays } from '@talpa/contracts/api-key-limits';
import { isAdminScope, scopes } from '@talpa/contracts/scopes';
import { type ResponseBody, useApiMutation, useLanguage, useUser } from '@talpa/panel-kit/core';
import {
  Checkbox,
  Form,
  FormDialog,
  fields,
  Input,
  issueText,
  Select,
  useFieldRules,
} from '@talpa/panel-kit/form';
import styles from './api-keys.module.css';
import { useApiKeyTexts } from './texts.ts';
import { useReachableProxies } from './use-reachable-proxies.ts';

interface Values {
  readonly name: string;
  readonly scopes: Scope[];
  /** Empty: all. */
  readonly proxyIds: number[];
  /** As they were typed, with commas. */
  readonly networks: string;
  /** 0: without end. */
  readonly days: number;
}
const endless = 0;
const dayChoices = [30, suggestedKeyDays, 365, endless];
const first: Values = { name: '', scopes: [], proxyIds: [], networks: '', days: suggestedKeyDays };
const networksIn = (text: string) => text.split(/[\s,;]+/).filter((one) => one !== '');
const forUsers = scopes.filter((scope) => !isAdminScope(scope));
const forAdministrators = scopes.filter(isAdminScope);

/** Creates an API key. */
export function CreateDialog({
  open,
  onCreated,
  onClose,
}: {
  readonly open: boolean;
  readonly onCreated: (created: ResponseBody<'POST /api/user/api-keys'>) => void;
  readonly onClose: () => void;
}) {
  const t = useApiKeyTexts();
  const { mutateAsync } = useApiMutation('POST /api/user/api-keys');
  const submit = async ({ name, scopes: chosen, proxyIds, networks, days }: Values) => {
    onCreated(
      await mutateAsync({
        name,
        scopes: chosen,
        networks: networksIn(networks),
        proxyIds: proxyIds.length > 0 ? proxyIds : null,
        days: days === endless ? null : days,
      }),
    );
  };
  return (
    <FormDialog<Values>
      open={open}
      title={t('form.title')}
      submit={t('form.submit')}
      failed={t('form.failed')}
      values={first}
      onSubmit={submit}
      onClose={onClose}
    >
      <KeyFields />
    </FormDialog>
  );
}

const choicesOf = (proxies: readonly ProxyConfig[]) =>
  proxies.map(({ id, serverName }) => ({ value: id, label: serverName }));
const inGroup = <T,>(label: string, options: readonly T[]) =>
  options.length > 0 ? [{ label, options: [...options] }] : [];

function KeyFields() {
  const t = useApiKeyTexts();
  const rules = useFieldRules();
  const language = useLanguage();
  const { own, shared } = useReachableProxies();
  return (
    <>
      <Form.Item
        name="name"
        label={t('form.name')}
        extra={t('form.nameHint')}
        rules={rules(fields.apiKeyName)}
      >
        <Input autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="scopes"
        label={t('form.scopes')}
        // Not “required”: a group of checkboxes cannot be announced as that.
        rules={[
          {
            validator: async (_rule, chosen: readonly Scope[]) => {
              if (chosen.length === 0) throw new Error(issueText('scopeRequired', language));
            },
          },
        ]}
      >
        <ScopeChoice />
      </Form.Item>
      <Form.Item name="proxyIds" label={t('form.proxies')}>
        <Select
          mode="multiple"
          placeholder={t('form.allProxies')}
          optionFilterProp="label"
          options={[...choicesOf(own), ...inGroup(t('form.sharedProxies'), choicesOf(shared))]}
        />
      </Form.Item>
      <Form.Item
        name="networks"
        label={t('form.networks')}
        extra={t('form.networksHint')}
        rules={[
          {
            validator: async (_rule, text: string) => {
              if (networksIn(text).some((one) => !fields.network.safeParse(one).success))
                throw new Error(issueText('network', language));
            },
          },
        ]}
      >
        <Input autoComplete="off" spellCheck={false} />
      </Form.Item>
      <Form.Item name="days" label={t('form.days')}>
        <Select
          options={dayChoices.map((value) => ({
            value,
            label: value === endless ? t('form.forever') : t('form.daysOf', { count: value }),
          }))}
        />
      </Form.Item>
    </>
  );
}

/** The scopes with what each of them allows; those of administrators for them alone. */
function ScopeChoice(props: {
  readonly value?: Scope[];
  readonly onChange?: (chosen: Scope[]) => void;
  readonly id?: string;
}) {
  const t = useApiKeyTexts();
  const { isAdmin } = useUser();
  const boxes = (offered: readonly Scope[]) =>
    offered.map((scope) => (
      <Checkbox key={scope} value={scope}>
        {t(`scope.${scope}`)} <code className={styles.scope}>{scope}</code>
      </Checkbox>
    ));
  return (
    <Checkbox.Group
      className={styles.scopes ?? ''}
      {...(props.value ? { value: props.value } : {})}
      onChange={(chosen) => props.onChange?.(chosen as Scope[])}
    >
      {boxes(forUsers)}
      {isAdmin && <span className={styles.note}>{t('form.admin')}</span>}
      {isAdmin && boxes(forAdministrators)}
    </Checkbox.Group>
  );
}
