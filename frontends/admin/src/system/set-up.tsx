import type { SetUpStepName, SystemCheck } from '@talpa/contracts';
import { operatorCommand } from '@talpa/contracts/operator-command';
import { setUpSteps } from '@talpa/contracts/set-up-steps';
import { systemQuery } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { Awaited, Panel, Tag } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleDashed, CircleQuestionMark } from 'lucide-react';
import { pages } from '../pages.ts';
import styles from './system.module.css';
import { useSystemTexts } from './texts.ts';

const icons = {
  ok: CircleCheck,
  missing: CircleDashed,
  failing: CircleAlert,
  unknown: CircleQuestionMark,
} as const;

/** What is still to be done on the first day; nothing once all of it is. */
export function SetUpPanel() {
  const t = useSystemTexts();
  const { data, isLoading } = useQuery(systemQuery);
  const checks = data?.checks ?? [];
  if (isLoading) return <Awaited />;
  if (!checks.some(({ state }) => state === 'missing' || state === 'failing')) return null;
  const done = checks.filter(({ state }) => state === 'ok').length;
  return (
    <Panel title={t('setUp')} extra={<Tag>{t('setUp.done', { done, of: checks.length })}</Tag>} flush>
      <ul className={`${styles.checks} ${styles.setUp}`} aria-label={t('setUp')}>
        {checks.map((one) => (
          <Check key={one.check} {...one} />
        ))}
      </ul>
    </Panel>
  );
}

/** A step, and what to do about it while it is open. */
function Check({ check, state }: SystemCheck) {
  const t = useSystemTexts();
  const Icon = icons[state];
  return (
    <li className={styles.check} data-state={state}>
      <Icon size={19} aria-hidden />
      <div>
        <p className={styles.step}>
          {t(`check.${check}`)} <span className={styles.detail}>{t(`check.state.${state}`)}</span>
        </p>
        {state === 'missing' && <WhatToDo check={check} />}
        {state === 'failing' && (
          <p className={styles.hint}>
            {t('check.failing')} <Link to={pages.system.path}>{t('check.failing.doctor')}</Link>
          </p>
        )}
      </div>
    </li>
  );
}

function WhatToDo({ check }: { readonly check: SetUpStepName }) {
  const t = useSystemTexts();
  const { settings, document } = setUpSteps[check];
  return (
    <>
      <p className={styles.hint}>
        {t(`check.${check}.missing`)}{' '}
        {check === 'customer' && <Link to={pages.invitations.path}>{t('check.customer.invite')}</Link>}
      </p>
      <p className={styles.sources}>
        {settings.map((setting) => (
          <code key={setting}>{setting}</code>
        ))}
        {check === 'backup' && <code>{operatorCommand('backup')}</code>}
        <span className={styles.detail}>{t('check.document', { document })}</span>
      </p>
    </>
  );
}
