import { mostAccessRules } from '@talpa/contracts/access-limits';
import { useLanguage } from '@talpa/panel-kit/core';
import { Form, fields, Input, Select, useFieldRules } from '@talpa/panel-kit/form';
import { Button, IconButton } from '@talpa/panel-kit/ui';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useMemo } from 'react';
import styles from './access.module.css';
import { countryOptions } from './countries.ts';
import type { PolicyValues, RuleValues } from './policy-values.ts';
import { useRuleTexts } from './rule-texts.ts';
import { useAccessTexts } from './texts.ts';

const allowedMs = 8 * 3_600_000;
/** Where web apps have their manifest. */
const manifestPaths = ['/manifest.json', '/manifest.webmanifest', '/site.webmanifest'];
const allMatches = ['address', 'country', 'path'] as const;
const emptyRule: RuleValues = { action: 'allow', by: 'address', value: '', expiresAt: null };

/** The rules of a policy, in their order. @param props.isUsed whether the chosen kind has rules */
export function RulesField(props: {
  readonly address: string;
  readonly isUsed: boolean;
  /** There is a wall, which browsers meet without cookies when they fetch a web app's manifest. */
  readonly hasWall?: boolean;
  /** What rules may be about; all there is when left out. */
  readonly matches?: readonly RuleValues['by'][];
}) {
  const t = useAccessTexts();
  const ruleForMe = (): RuleValues => ({
    action: 'allow',
    by: 'address',
    value: props.address,
    expiresAt: new Date(Date.now() + allowedMs).toISOString(),
  });
  return (
    <Form.List name="rules">
      {(items, { add, remove, move }) => (
        <fieldset className={styles.rules}>
          <legend className={styles.legend}>{t('form.rules')}</legend>
          <p className={styles.note}>{items.length > 0 ? t('form.rules.hint') : t('form.rules.none')}</p>
          {items.map(({ key, name }, index) => (
            <RuleFields
              key={key}
              name={name}
              isUsed={props.isUsed}
              matches={props.matches ?? allMatches}
              isLast={index === items.length - 1}
              onMove={(by) => move(index, index + by)}
              onRemove={() => remove(name)}
            />
          ))}
          <div className={styles.buttons}>
            <Button
              size="small"
              icon={<Plus size={14} aria-hidden />}
              disabled={items.length >= mostAccessRules}
              onClick={() => add(emptyRule)}
            >
              {t('form.addRule')}
            </Button>
            <Button
              size="small"
              disabled={items.length >= mostAccessRules}
              onClick={() => add(ruleForMe(), 0)}
            >
              {t('form.allowMe')}
            </Button>
            {props.hasWall && (
              <Button
                size="small"
                disabled={items.length > mostAccessRules - manifestPaths.length}
                onClick={() => {
                  for (const value of manifestPaths)
                    add({ action: 'allow', by: 'path', value, expiresAt: null }, 0);
                }}
              >
                {t('form.allowManifest')}
              </Button>
            )}
          </div>
          {props.hasWall && <p className={styles.note}>{t('form.allowManifest.hint')}</p>}
        </fieldset>
      )}
    </Form.List>
  );
}

function RuleFields(props: {
  readonly name: number;
  readonly isUsed: boolean;
  readonly matches: readonly RuleValues['by'][];
  readonly isLast: boolean;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}) {
  const t = useAccessTexts();
  const { end } = useRuleTexts();
  const form = Form.useFormInstance<PolicyValues>();
  const { name } = props;
  const rule: RuleValues = Form.useWatch(['rules', name], form) ?? emptyRule;
  const number = name + 1;
  const until = rule.expiresAt ? end(rule) : null;
  return (
    <fieldset className={styles.rule} aria-label={t('rule.number', { number })}>
      <span className={styles.number} aria-hidden>
        {number}
      </span>
      <Form.Item name={[name, 'action']} className={styles.field ?? ''}>
        <Select
          aria-label={t('form.action')}
          options={(['allow', 'deny', 'continue'] as const).map((value) => ({
            value,
            label: t(`action.${value}`),
          }))}
        />
      </Form.Item>
      <Form.Item name={[name, 'by']} className={styles.field ?? ''}>
        <Select
          aria-label={t('form.by')}
          options={props.matches.map((value) => ({ value, label: t(`by.${value}`) }))}
          onChange={() => form.setFieldValue(['rules', name, 'value'], '')}
        />
      </Form.Item>
      <ValueField name={name} by={rule.by} isUsed={props.isUsed} />
      <Form.Item name={[name, 'expiresAt']} hidden>
        <Input />
      </Form.Item>
      <span className={styles.moves}>
        <IconButton
          label={t('form.up', { number })}
          icon={<ArrowUp size={16} aria-hidden />}
          disabled={name === 0}
          onClick={() => props.onMove(-1)}
        />
        <IconButton
          label={t('form.down', { number })}
          icon={<ArrowDown size={16} aria-hidden />}
          disabled={props.isLast}
          onClick={() => props.onMove(1)}
        />
        <IconButton
          label={t('form.removeRule', { number })}
          icon={<Trash2 size={16} aria-hidden />}
          onClick={props.onRemove}
        />
      </span>
      {until !== null && <span className={styles.until}>{until}</span>}
    </fieldset>
  );
}

const schemas = { address: fields.network, country: fields.country, path: fields.pathPrefix };

function ValueField(props: {
  readonly name: number;
  readonly by: RuleValues['by'];
  readonly isUsed: boolean;
}) {
  const t = useAccessTexts();
  const language = useLanguage();
  const rules = useFieldRules();
  const { name, by, isUsed } = props;
  const countries = useMemo(() => countryOptions(language), [language]);
  const label = t(`form.value.${by}`);
  return (
    <Form.Item name={[name, 'value']} className={styles.value ?? ''} rules={isUsed ? rules(schemas[by]) : []}>
      {by === 'country' ? (
        <Select aria-label={label} showSearch optionFilterProp="label" options={countries} />
      ) : (
        <Input
          aria-label={label}
          placeholder={t(`form.example.${by}`)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
    </Form.Item>
  );
}
