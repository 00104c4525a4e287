import { type Plan, requestLogDays } from '@talpa/contracts/plans';
import { tunnelProviders } from '@talpa/contracts/tunnel-providers';
import { formatEuros, panelConfig, useLanguage } from '@talpa/panel-kit/core';
import { Button, Tag } from '@talpa/panel-kit/ui';
import { Check } from 'lucide-react';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './subscription.module.css';

/** What a plan is to the user who looks at it. */
export type PlanRole = 'current' | 'recommended' | 'other';
/** What choosing a plan is: a first one, a larger or a smaller one; null where users choose none. */
export type PlanChoice = 'select' | 'upgrade' | 'downgrade';

/** One plan of the catalogue. */
export function PlanCard(props: {
  readonly plan: Plan;
  readonly role: PlanRole;
  /** Null: users change no plans here. */
  readonly choice: PlanChoice | null;
  readonly disabled: boolean;
  readonly onSelect: () => void;
}) {
  const t = useUserTexts();
  const language = useLanguage();
  const { plan, role } = props;
  const { tunnelProvider, gamePorts, requestLogDays: mostDays } = panelConfig();
  const hasDomains = tunnelProviders[tunnelProvider].customDomains && plan.domainLimit > 0;
  const logDays = requestLogDays(plan.id, mostDays);
  const features = [
    t('plan.proxies', { count: plan.proxyLimit }),
    ...(hasDomains ? [t('plan.domains', { count: plan.domainLimit })] : []),
    ...(gamePorts && plan.portLimit > 0 ? [t('plan.ports', { count: plan.portLimit })] : []),
    t('plan.members', { count: plan.memberLimit }),
    ...(logDays > 0 ? [t('plan.requestLog', { count: logDays })] : []),
    t('plan.ssl'),
  ];
  const label = role === 'current' ? t('plan.current') : props.choice && t(`plan.${props.choice}`);
  return (
    <li className={styles.plan} data-role={role}>
      <div className={styles.planHead}>
        <h2>{plan.name}</h2>
        {role === 'recommended' && <Tag color="processing">{t('plan.recommended')}</Tag>}
        {role === 'current' && <Tag color="success">{t('plan.currentBadge')}</Tag>}
      </div>
      <p className={styles.description}>{t(`plan.${plan.id}.text`)}</p>
      <p className={styles.price}>
        {formatEuros(plan.priceCents, language)}
        {plan.priceCents > 0 && <span>{t('plan.perMonth')}</span>}
      </p>
      <ul className={styles.features}>
        {features.map((feature) => (
          <li key={feature}>
            <Check size={16} aria-hidden />
            {feature}
          </li>
        ))}
      </ul>
      {label && (
        <Button
          block
          type={role === 'recommended' ? 'primary' : 'default'}
          disabled={role === 'current' || props.disabled}
          onClick={props.onSelect}
          aria-label={`${label}: ${plan.name}`}
        >
          {label}
        </Button>
      )}
    </li>
  );
}
