import type { Plan } from '@talpa/contracts/plans';
import { formatEuros, useLanguage } from '@talpa/panel-kit/core';
import { Button, Tag } from '@talpa/panel-kit/ui';
import { Check } from 'lucide-react';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './subscription.module.css';

/** One plan of the catalogue. */
export function PlanCard(props: {
  readonly plan: Plan;
  readonly isCurrent: boolean;
  readonly disabled: boolean;
  readonly onSelect: () => void;
}) {
  const t = useUserTexts();
  const language = useLanguage();
  const { plan, isCurrent } = props;
  return (
    <li className={styles.plan} data-recommended={plan.recommended} data-current={isCurrent}>
      <div className={styles.planHead}>
        <h2>{plan.name}</h2>
        {plan.recommended && <Tag color="processing">{t('plan.recommended')}</Tag>}
      </div>
      <p className={styles.description}>{t(`plan.${plan.id}.text`)}</p>
      <p className={styles.price}>
        {formatEuros(plan.priceCents, language)}
        {plan.priceCents > 0 && <span>{t('plan.perMonth')}</span>}
      </p>
      <ul className={styles.features}>
        <li>
          <Check size={16} aria-hidden />
          {t('plan.proxies', { count: plan.proxyLimit })}
        </li>
        <li>
          <Check size={16} aria-hidden />
          {t('plan.ssl')}
        </li>
      </ul>
      <Button
        block
        type={plan.recommended && !isCurrent ? 'primary' : 'default'}
        disabled={isCurrent || props.disabled}
        onClick={props.onSelect}
        aria-label={`${isCurrent ? t('plan.current') : t('plan.select')}: ${plan.name}`}
      >
        {isCurrent ? t('plan.current') : t('plan.select')}
      </Button>
    </li>
  );
}
