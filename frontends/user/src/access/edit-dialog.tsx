import type { ProxyAccess } from '@talpa/contracts';
import {
  formatCountry,
  formatList,
  proxyAccessQuery,
  useApiMutation,
  useLanguage,
  useToast,
} from '@talpa/panel-kit/core';
import {
  type DescribeField,
  Fold,
  Form,
  FormDialog,
  Radio,
  Select,
  useLatest,
  useOpening,
} from '@talpa/panel-kit/form';
import { Button } from '@talpa/panel-kit/ui';
import { useState } from 'react';
import styles from './access.module.css';
import { emailsIn, type PolicyValues, policyOf, type RuleValues, startOf } from './policy-values.ts';
import { chosen, type Preset, presetOf, presets } from './presets.ts';
import { useRuleTexts } from './rule-texts.ts';
import { RulesField } from './rules-field.tsx';
import { useAccessTexts } from './texts.ts';
import { VisitorPreview } from './visitor-preview.tsx';
import { PreflightsField, WallFields } from './wall-fields.tsx';

interface Props {
  readonly open: boolean;
  readonly proxyId: number;
  readonly access: ProxyAccess;
  /** The proxy's public name. */
  readonly host: string;
  readonly onClose: () => void;
}

/** Changes who may visit a proxy. */
export function EditDialog(props: Props) {
  const opening = useOpening(props.open);
  return opening > 0 && <EditForm key={opening} {...props} />;
}

function EditForm({ open, proxyId, access, host, onClose }: Props) {
  const t = useAccessTexts();
  const toast = useToast();
  const describe = useDescribe();
  const [refusals, setRefusals] = useState(0);
  const { record, isGone, refetch, replace } = useLatest(access, proxyAccessQuery(proxyId), open);
  const { mutateAsync } = useApiMutation('PUT /api/tunnel-configs/:id/access');
  const save = async (values: PolicyValues, base: Partial<PolicyValues>) => {
    const started = { ...startOf(record), ...base };
    const whole = { ...started, ...values };
    replace(
      await mutateAsync({
        id: proxyId,
        policy: policyOf(whole.methods.includes('email') ? whole : { ...whole, emails: '' }),
        expected: policyOf(started),
        ...secretsOf(whole),
      }),
    );
    toast({ title: t('form.done'), tone: 'success' });
    onClose();
  };
  return (
    <FormDialog<PolicyValues>
      open={open}
      title={t('form.title')}
      submit={t('form.submit')}
      failed={t('form.failed')}
      values={startOf(record)}
      describe={describe}
      isGone={isGone}
      onOutdated={refetch}
      width={940}
      onRefused={() => setRefusals(refusals + 1)}
      onSubmit={save}
      onClose={onClose}
    >
      <PolicyFields access={record} host={host} refusals={refusals} />
    </FormDialog>
  );
}

/** What is typed counts only where the policy asks for it. */
function secretsOf({ kind, methods, pin, password }: PolicyValues) {
  const isNew = (method: 'pin' | 'password', typed: string) =>
    kind === 'wall' && methods.includes(method) && typed !== '';
  return { ...(isNew('pin', pin) ? { pin } : {}), ...(isNew('password', password) ? { password } : {}) };
}

function PolicyFields(props: {
  readonly access: ProxyAccess;
  readonly host: string;
  /** How often the form was refused. */
  readonly refusals: number;
}) {
  const { access, host } = props;
  const t = useAccessTexts();
  const form = Form.useFormInstance<PolicyValues>();
  // Renders again when something was typed, but only a moment later: what is chosen is read from the form itself.
  Form.useWatch([], form);
  const values = { ...startOf(access), ...(form.getFieldsValue(true) as Partial<PolicyValues>) };
  const { kind } = values;
  const preset = presetOf(values, access.address);
  // Chosen, or because no preset says what is stored.
  const [{ isCustom }, setCustom] = useState({ isCustom: preset === null });
  const isSimple = !isCustom && preset !== null;
  const set = (changes: Partial<PolicyValues>) => form.setFieldsValue(changes as object);
  const choose = (choice: Preset | 'custom') => {
    if (choice !== 'custom') set(chosen(choice, access.address));
    setCustom({ isCustom: choice === 'custom' });
  };
  const rules = <RulesField address={access.address} isUsed={kind !== 'open'} hasWall={kind === 'wall'} />;
  return (
    <div className={styles.editor}>
      <div>
        <PresetChoice access={access} value={isSimple ? preset : 'custom'} onChosen={choose} />
        <div hidden={isSimple}>
          <Form.Item name="kind" label={t('form.kind')} extra={t(`kind.${kind}.hint`)}>
            <Radio.Group
              className={styles.inLine ?? ''}
              options={(['open', 'wall', 'rules'] as const).map((value) => ({
                value,
                label: t(`kind.${value}`),
              }))}
            />
          </Form.Item>
          <Templates access={access} onChosen={set} />
        </div>
        <div hidden={kind !== 'wall'}>
          <WallFields access={access} isUsed={kind === 'wall'} isSimple={isSimple} />
        </div>
      </div>
      <div className={styles.policyRules} hidden={isSimple || kind === 'open'}>
        {kind === 'wall' ? (
          <Fold
            title={t('form.exceptions')}
            startsOpen={values.rules.length > 0 || values.preflights}
            opensAt={props.refusals + values.rules.length}
          >
            {rules}
            <PreflightsField />
          </Fold>
        ) : (
          rules
        )}
        <Form.Item name="otherwise" label={t('form.otherwise')} hidden={kind !== 'rules'}>
          <Select
            options={(['allow', 'deny'] as const).map((value) => ({ value, label: t(`action.${value}`) }))}
          />
        </Form.Item>
      </div>
      <VisitorPreview values={values} host={host} signIn={access.signIn} />
    </div>
  );
}

/** What most people want, and the way to all the rest. */
function PresetChoice(props: {
  readonly access: ProxyAccess;
  readonly value: Preset | 'custom';
  readonly onChosen: (choice: Preset | 'custom') => void;
}) {
  const t = useAccessTexts();
  const { address, signIn } = props.access;
  return (
    <Form.Item label={t('form.preset')}>
      <Radio.Group
        className={styles.kinds ?? ''}
        aria-label={t('form.preset')}
        value={props.value}
        onChange={({ target }) => props.onChosen(target.value as Preset | 'custom')}
      >
        {([...presets, 'custom'] as const).map((one) => {
          // What is chosen can be left, even if nobody could choose it now.
          const isClosed = one === 'members' && !signIn && props.value !== one;
          return (
            <Radio key={one} value={one} disabled={isClosed}>
              {t(`preset.${one}`)}
              <span className={styles.hint}>
                {isClosed ? t('form.noSignIn') : t(`preset.${one}.hint`, { address })}
              </span>
            </Radio>
          );
        })}
      </Radio.Group>
    </Form.Item>
  );
}

/** Rules to begin with that take long to type. */
function Templates(props: {
  readonly access: ProxyAccess;
  readonly onChosen: (values: Partial<PolicyValues>) => void;
}) {
  const t = useAccessTexts();
  const language = useLanguage();
  const { country, signIn } = props.access;
  if (!signIn && country === null) return null;
  const pterodactyl = () =>
    props.onChosen({
      ...{ kind: 'wall', methods: ['member'], require: 'any' },
      rules: pterodactylPaths.map((path) => allowing('path', path)),
    });
  return (
    <fieldset className={styles.presets} aria-label={t('form.templates')}>
      <span className={styles.hint} aria-hidden>
        {t('form.templates')}
      </span>
      {signIn && (
        <Button size="small" onClick={pterodactyl}>
          {t('template.pterodactyl')}
        </Button>
      )}
      {country !== null && (
        <Button
          size="small"
          title={formatCountry(country, language)}
          onClick={() =>
            props.onChosen({ kind: 'rules', rules: [allowing('country', country)], otherwise: 'deny' })
          }
        >
          {t('template.country')}
        </Button>
      )}
    </fieldset>
  );
}

/** What Pterodactyl's daemons and programs with its API keys call: they sign in by themselves and open no page. */
const pterodactylPaths = ['/api/remote', '/api/application', '/api/client'];

const allowing = (by: RuleValues['by'], value: string): RuleValues => ({
  action: 'allow',
  by,
  value,
  expiresAt: null,
});

/** How a changed field reads when somebody else has changed it meanwhile. */
function useDescribe(): DescribeField {
  const t = useAccessTexts();
  const { match } = useRuleTexts();
  const language = useLanguage();
  return (name, value) => {
    if (name === 'rules') {
      const rules = (value ?? []) as readonly RuleValues[];
      const text = rules.map((rule) => `${t(`action.${rule.action}`)}: ${match(rule)}`).join('; ');
      return { label: t('form.rules'), text: text || t('form.rules.none') };
    }
    if (name === 'methods') {
      const names = (value as PolicyValues['methods']).map((method) => t(`methodName.${method}`));
      return { label: t('form.methods'), text: formatList(names, language) };
    }
    if (name === 'emails')
      return { label: t('form.emails'), text: formatList(emailsIn(String(value ?? '')), language) };
    if (name === 'require')
      return { label: t('form.require'), text: t(`require.${value as PolicyValues['require']}`) };
    if (name === 'days') return { label: t('form.duration'), text: t('form.days', { count: Number(value) }) };
    if (name === 'preflights')
      return { label: t('form.preflights'), text: t(value ? 'form.preflights.on' : 'form.preflights.off') };
    if (name === 'otherwise')
      return { label: t('form.otherwise'), text: t(`action.${value as 'allow' | 'deny'}`) };
    return { label: t('form.kind'), text: t(`kind.${value as PolicyValues['kind']}`) };
  };
}
