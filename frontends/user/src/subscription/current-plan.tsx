import type { Subscription } from '@talpa/contracts';
import { planOf } from '@talpa/contracts/plans';
import { formatDate, useLanguage, useUser } from '@talpa/panel-kit/core';
import { Alert, Facts, Panel, Tag } from '@talpa/panel-kit/ui';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './subscription.module.css';

/** What the user has now: plan, expiry, limit, used, available. `used` is null while it cannot be known. */
export function CurrentPlan({
  subscription,
  used,
}: {
  readonly subscription: Subscription;
  readonly used: number | null;
}) {
  const t = useUserTexts();
  const language = useLanguage();
  const isSuspended = useUser().suspension !== null;
  const { tier, expiry, proxyLimit } = subscription;
  const available = used === null ? null : Math.max(0, proxyLimit - used);
  // Where there is no plan, none ends and none lasts.
  const expires = expiry ? formatDate(expiry, language) : tier ? t('plan.noExpiry') : '–';
  const figures = [
    [t('plan.expiry'), expires],
    [t('plan.limit'), proxyLimit],
    [t('plan.used'), used ?? '–'],
    // Nobody creates a proxy while they are suspended.
    [t('plan.available'), isSuspended ? null : (available ?? '–')],
  ] as const;
  return (
    <Panel
      title={t('plan.yours')}
      extra={<Tag color={tier ? 'processing' : 'default'}>{tier ? planOf(tier).name : t('plan.none')}</Tag>}
    >
      <Facts facts={figures} as="tiles" />
      {used !== null && used > proxyLimit && (
        <Alert
          className={styles.above ?? ''}
          type="info"
          showIcon
          title={t('plan.above', { count: used, limit: proxyLimit })}
        />
      )}
    </Panel>
  );
}
