import { lazyPage, unreadCountQuery } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { ErrorBoundary, Loading, Tooltip } from '@talpa/panel-kit/ui';
import { pages } from '@talpa/panel-user/pages';
import { useQuery } from '@tanstack/react-query';
import { Bell as BellIcon } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './bell.module.css';
import frame from './layout.module.css';
import { Overlay } from './overlay.tsx';

const NewestNotifications = lazyPage(() =>
  import('./newest-notifications.tsx').then((module) => module.NewestNotifications),
);

/** Above this the badge says no more than that it is more. */
const mostShown = 99;

/** How many notifications are unread, as the bell says it: to the eye, and in words. */
function useUnread() {
  const t = useShellTexts();
  const { data } = useQuery(unreadCountQuery);
  const count = data?.unread ?? 0;
  const isMore = count > mostShown;
  return {
    badge: count === 0 ? null : isMore ? `${mostShown}+` : String(count),
    label: isMore
      ? t('bell.more', { count: mostShown })
      : count === 0
        ? t('bell')
        : t('bell.unread', { count }),
  };
}

/** Opens the newest notifications beside the menu. */
export function Bell({ expanded }: { readonly expanded: boolean }) {
  const { badge, label } = useUnread();
  const [open, setOpen] = useState(false);
  // Back and forward leave the page it was opened on.
  useEffect(() => {
    const close = () => setOpen(false);
    window.addEventListener('popstate', close);
    return () => window.removeEventListener('popstate', close);
  }, []);
  return (
    <>
      <Tooltip atOnce title={label} placement={expanded ? 'bottom' : 'right'}>
        <button
          type="button"
          className={styles.bell}
          aria-label={label}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          <Face badge={badge} />
        </button>
      </Tooltip>
      {open && <Newest onClosed={() => setOpen(false)} />}
    </>
  );
}

function Newest({ onClosed }: { readonly onClosed: () => void }) {
  const t = useShellTexts();
  return (
    <Overlay label={t('bell')} className={frame.besideMenu} onClosed={onClosed}>
      {(close) => (
        <ErrorBoundary>
          <Suspense fallback={<Loading />}>
            <NewestNotifications onFollow={close} />
          </Suspense>
        </ErrorBoundary>
      )}
    </Overlay>
  );
}

/** On narrow screens: leads to the page of all notifications. */
export function BellLink() {
  const { badge, label } = useUnread();
  return (
    <Link className={`${styles.bell} ${styles.framed}`} to={pages.notifications.path} aria-label={label}>
      <Face badge={badge} />
    </Link>
  );
}

function Face({ badge }: { readonly badge: string | null }) {
  return (
    <>
      <BellIcon size={20} aria-hidden />
      {badge && (
        <span className={styles.badge} aria-hidden>
          {badge}
        </span>
      )}
    </>
  );
}
