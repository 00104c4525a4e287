import type { ProxyConfig, Subscription } from '@talpa/contracts';
import { planOf } from '@talpa/contracts/plans';
import { auditRetention } from '@talpa/contracts/retention';
import {
  formatDate,
  proxiesQuery,
  subscriptionQuery,
  useDeleteAccount,
  useLanguage,
  useToast,
  useUser,
} from '@talpa/panel-kit/core';
import {
  Form,
  FormDialog,
  fields,
  HiddenUsername,
  PasswordInput,
  useFieldRules,
} from '@talpa/panel-kit/form';
import { Alert, Button, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import styles from './settings.module.css';
import { useSettingsTexts } from './texts.ts';

interface Values {
  readonly password: string;
}

/** The end of an account: says what goes with it and asks for the password. */
export function DeletePanel() {
  const t = useSettingsTexts();
  const toast = useToast();
  const rules = useFieldRules();
  const [isWanted, setWanted] = useState(false);
  const { facts, isSettled } = useWhatGoes(isWanted);
  const { mutateAsync } = useDeleteAccount();
  const submit = async (values: Values) => {
    await mutateAsync(values);
    toast({ title: t('delete.done'), text: t('delete.doneText'), tone: 'success' });
  };
  return (
    <Panel
      title={t('danger')}
      danger
      footer={
        <div className={styles.bar}>
          <Button
            type="primary"
            danger
            icon={<Trash2 size={15} aria-hidden />}
            loading={isWanted && !isSettled}
            onClick={() => setWanted(true)}
          >
            {t('danger.open')}
          </Button>
        </div>
      }
    >
      <p className={styles.text}>{t('danger.text')}</p>
      <FormDialog<Values>
        open={isWanted && isSettled}
        title={t('delete.title')}
        submit={t('delete.submit')}
        failed={t('delete.failed')}
        danger
        asks={false}
        values={{ password: '' }}
        onSubmit={submit}
        onClose={() => setWanted(false)}
      >
        <Alert type="error" showIcon title={t('delete.lead')} description={<WhatGoes {...facts} />} />
        <HiddenUsername />
        <Form.Item
          name="password"
          label={t('delete.password')}
          rules={rules(fields.givenPassword)}
          style={{ marginTop: 16 }}
        >
          <PasswordInput autoComplete="current-password" />
        </Form.Item>
      </FormDialog>
    </Panel>
  );
}

interface Facts {
  readonly proxies: readonly ProxyConfig[] | undefined;
  readonly plan: Subscription | undefined;
}

/**
 * What goes with the account. The dialog waits for it, so that nothing moves under the pointer; what cannot be
 * loaded it does without.
 */
function useWhatGoes(enabled: boolean): { readonly facts: Facts; readonly isSettled: boolean } {
  const proxies = useQuery({ ...proxiesQuery, enabled });
  const plan = useQuery({ ...subscriptionQuery, enabled });
  const isSettled = [proxies, plan].every(
    ({ isPending, fetchStatus }) => !isPending || (enabled && fetchStatus === 'paused'),
  );
  return { facts: { proxies: proxies.data, plan: plan.data }, isSettled };
}

function WhatGoes({ proxies, plan }: Facts) {
  const t = useSettingsTexts();
  const language = useLanguage();
  const user = useUser();
  const name = plan?.tier ? planOf(plan.tier).name : null;
  const date = plan?.expiry ? formatDate(plan.expiry, language) : null;
  const count = proxies?.length;
  return (
    <>
      <ul className={styles.goes}>
        <li>{t('delete.account', { name: user.username })}</li>
        {count === undefined && <li>{t('delete.proxies.some')}</li>}
        {count !== undefined && count > 0 && <li>{t('delete.proxies', { count })}</li>}
        {name && <li>{date ? t('delete.planUntil', { name, date }) : t('delete.plan', { name })}</li>}
      </ul>
      {t('delete.audit', { days: auditRetention.rows })}
    </>
  );
}
