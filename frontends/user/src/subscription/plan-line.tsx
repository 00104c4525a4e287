import { planOf } from '@talpa/contracts/plans';
import { formatDate, useLanguage, useUser } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { pages } from '../pages.ts';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './subscription.module.css';

/** The user's plan in a line among the settings, with a link to its page. */
export function PlanLine() {
  const t = useUserTexts();
  const language = useLanguage();
  const { subscriptionTier: tier, subscriptionExpiry: expiry } = useUser();
  const until = expiry && formatDate(expiry, language);
  return (
    <p className={styles.line}>
      <span>
        {t('plan.yours')}: <strong>{tier ? planOf(tier).name : t('plan.none')}</strong>
        {until && ` · ${t('plan.until', { date: until })}`}
      </span>
      <Link to={pages.subscription.path}>{t('plan.manage')}</Link>
    </p>
  );
}
