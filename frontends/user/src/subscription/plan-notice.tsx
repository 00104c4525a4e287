import { planOf } from '@talpa/contracts/plans';
import {
  formatDate,
  formatDaysAhead,
  readStored,
  store,
  subscriptionQuery,
  useLanguage,
  useUser,
} from '@talpa/panel-kit/core';
import { Alert, Awaited, LinkButton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { pages } from '../pages.ts';
import { useUserTexts } from '../texts/user-texts.ts';
import { choosesPlans } from './ask-administrator.tsx';
import { noticeKey, type PlanEnd, planEndOf } from './plan-end.ts';
import styles from './subscription.module.css';

/** That the plan ends or has ended, until the user closes the notice. */
export interface EndNotice {
  readonly end: PlanEnd;
  readonly close: () => void;
}

/** The notice that a page has to show; null when there is none or the user has closed it. */
export function useEndNotice(): EndNotice | null {
  const user = useUser();
  const { data } = useQuery(subscriptionQuery);
  const [closed, setClosed] = useState(() => readStored('plan-notice'));
  const now = new Date();
  const end = data ? planEndOf(data, now) : null;
  if (!end) return null;
  const key = noticeKey(end, user.id, now);
  if (closed === key) return null;
  const close = () => {
    store('plan-notice', key);
    setClosed(key);
  };
  return { end, close };
}

/** Says on pages about proxies that the plan ends or has ended; closed for a day, or for good. */
export function PlanNotice({ notice }: { readonly notice: EndNotice | null }) {
  const t = useUserTexts();
  const { isLoading } = useQuery(subscriptionQuery);
  if (isLoading) return <Awaited />;
  if (!notice) return null;
  const { end, close } = notice;
  return (
    <PlanEndAlert
      end={end}
      action={
        <LinkButton to={pages.subscription.path}>
          {t(choosesPlans() ? `plan.renew.${end.state}` : 'plan.show')}
        </LinkButton>
      }
      onClose={close}
    />
  );
}

/** What happens to one's plan and proxies, and the way to keep the plan where users can. */
export function PlanEndAlert(props: {
  readonly end: PlanEnd;
  readonly action: ReactNode;
  readonly onClose?: () => void;
}) {
  const t = useUserTexts();
  const language = useLanguage();
  const { end, onClose } = props;
  const free = planOf('free');
  const texts = {
    name: end.plan.name,
    free: free.name,
    proxies: t('plan.proxies', { count: free.proxyLimit }),
  };
  const title =
    end.state === 'ending'
      ? t('plan.ending', {
          name: end.plan.name,
          date: formatDate(end.expiry, language) ?? '',
          when: formatDaysAhead(end.expiry, new Date(), language),
        })
      : t('plan.expired', texts);
  return (
    <Alert
      type="warning"
      showIcon
      title={title}
      description={
        <>
          <p className={styles.endText}>
            {t(`plan.${end.state}.text`, texts)}
            {choosesPlans() && ` ${t(`plan.${end.state}.renew`, texts)}`}
          </p>
          {props.action}
        </>
      }
      {...(onClose ? { closable: { 'aria-label': t('plan.notice.close'), onClose } } : {})}
    />
  );
}
