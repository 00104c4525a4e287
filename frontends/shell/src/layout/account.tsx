import { planOf } from '@talpa/contracts/plans';
import { useUser } from '@talpa/panel-kit/core';
import { Link, useLocation } from '@talpa/panel-kit/router';
import { pages } from '@talpa/panel-user/pages';
import { CircleUserRound } from 'lucide-react';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './account.module.css';
import menu from './sidebar.module.css';

/** Who is signed in, on which plan; leads to the subscription. */
export function Account({ onClick }: { readonly onClick: (() => void) | undefined }) {
  const t = useShellTexts();
  const { username, subscriptionTier: tier } = useUser();
  const plan = tier ? planOf(tier).name : t('layout.noPlan');
  const { path } = pages.subscription;
  return (
    <Link
      to={path}
      className={`${menu.entry} ${styles.account}`}
      title={t('layout.account', { name: username, plan })}
      {...(useLocation().pathname === path ? { 'aria-current': 'page' } : {})}
      {...(onClick ? { onClick } : {})}
    >
      <CircleUserRound size={19} aria-hidden />
      <span className={styles.who}>
        <span className={styles.name}>{username}</span> <span className={styles.plan}>{plan}</span>
      </span>
    </Link>
  );
}
