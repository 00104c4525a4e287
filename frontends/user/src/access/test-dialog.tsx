import { call, formatCountry, type ResponseBody, useLanguage } from '@talpa/panel-kit/core';
import { Form, FormDialog, fields, Input, useFieldRules } from '@talpa/panel-kit/form';
import { Alert } from '@talpa/panel-kit/ui';
import { useState } from 'react';
import styles from './access.module.css';
import { useAccessTexts } from './texts.ts';

interface Values {
  readonly address: string;
  readonly path: string;
}
type Verdict = ResponseBody<'GET /api/tunnel-configs/:id/access/verdict'>;

/** Says what the saved policy does with a visitor. */
export function TestDialog(props: {
  readonly open: boolean;
  readonly proxyId: number;
  /** The user's own. */
  readonly address: string;
  readonly onClose: () => void;
}) {
  const t = useAccessTexts();
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const submit = async ({ address, path }: Values) => {
    setVerdict(null);
    setVerdict(
      await call('GET /api/tunnel-configs/:id/access/verdict', { id: props.proxyId, address, path }),
    );
  };
  const close = () => {
    props.onClose();
    setVerdict(null);
  };
  return (
    <FormDialog<Values>
      open={props.open}
      title={t('test.title')}
      submit={t('test.submit')}
      failed={t('test.failed')}
      asks={false}
      values={{ address: props.address, path: '/' }}
      onSubmit={submit}
      onClose={close}
    >
      <TestFields />
      <div role="status">{verdict && <Result verdict={verdict} />}</div>
    </FormDialog>
  );
}

function TestFields() {
  const t = useAccessTexts();
  const rules = useFieldRules();
  return (
    <>
      <p className={styles.note}>{t('test.text')}</p>
      <Form.Item name="address" label={t('test.address')} rules={rules(fields.address)}>
        <Input autoComplete="off" spellCheck={false} />
      </Form.Item>
      <Form.Item name="path" label={t('test.path')} rules={rules(fields.visitedPath)}>
        <Input autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
    </>
  );
}

const types = { allow: 'success', wall: 'info', deny: 'error' } as const;

function Result({ verdict }: { readonly verdict: Verdict }) {
  const t = useAccessTexts();
  const language = useLanguage();
  const { outcome, reason, rule, country } = verdict;
  const where =
    country === null
      ? t('verdict.noCountry')
      : t('verdict.country', { country: formatCountry(country, language) });
  return (
    <Alert
      type={types[outcome]}
      showIcon
      title={t(`verdict.${outcome}`)}
      description={`${t(`reason.${reason}`, { rule: rule ?? '' })} ${where}`}
    />
  );
}
