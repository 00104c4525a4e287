import { useIsNarrow } from '@talpa/panel-kit/core';
import { Menu } from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { StepUp } from '../auth/step-up/step-up.tsx';
import { Footer } from '../footer.tsx';
import { Mole } from '../mole.tsx';
import { useShellTexts } from '../texts/shell-texts.ts';
import { AccountNotice } from './account-notice.tsx';
import { AnnouncementNotices } from './announcement-notices.tsx';
import { BellLink } from './bell.tsx';
import { useDemotionToast } from './demotion.ts';
import { EmailNotice } from './email-notice.tsx';
import styles from './layout.module.css';
import { LeaveGuard } from './leave-guard.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { Overlay } from './overlay.tsx';
import { ProblemsNotice } from './problems-notice.tsx';
import { Sidebar } from './sidebar.tsx';
import { useSidebarState } from './sidebar-state.ts';
import { StorageNotice } from './storage-notice.tsx';
import { SuspendedNotice } from './suspended-notice.tsx';

/** The frame of every page behind the sign-in: sidebar (an overlay on narrow screens), page, footer. */
export function Layout({ children }: { readonly children: ReactNode }) {
  const t = useShellTexts();
  const narrow = useIsNarrow();
  const state = useSidebarState();
  const main = useRef<HTMLElement>(null);
  useDemotionToast();
  // Not by the address: the router takes a change of it for a page it does not know.
  const skip = (event: MouseEvent) => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <div className={styles.layout} data-sidebar={narrow ? 'overlay' : state}>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place on the page */}
      <a className={styles.skip} href="#content" onClick={skip}>
        {t('layout.skip')}
      </a>
      {narrow ? <TopBar /> : <Sidebar expanded={state === 'expanded'} />}
      <div className={styles.main}>
        <main ref={main} id="content" className={styles.content} tabIndex={-1}>
          <OfflineNotice />
          <AnnouncementNotices />
          <AccountNotice />
          <SuspendedNotice />
          <EmailNotice />
          <ProblemsNotice />
          <StorageNotice />
          {children}
        </main>
        <Footer />
      </div>
      <LeaveGuard />
      <StepUp />
    </div>
  );
}

/** On narrow screens: the mark, and the button that opens the menu. */
function TopBar() {
  const t = useShellTexts();
  const [open, setOpen] = useState(false);
  // Back and forward leave the page the menu was opened on.
  useEffect(() => {
    const close = () => setOpen(false);
    window.addEventListener('popstate', close);
    return () => window.removeEventListener('popstate', close);
  }, []);
  return (
    <header className={styles.bar}>
      <span className={styles.brand}>
        <Mole size={26} /> Talpa
      </span>
      <BellLink />
      <button
        type="button"
        className={styles.menuButton}
        aria-label={t('layout.open')}
        aria-expanded={open}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Menu size={20} aria-hidden />
      </button>
      {open && (
        <Overlay label={t('layout.navigation')} onClosed={() => setOpen(false)}>
          {(close) => <Sidebar expanded onClose={close} />}
        </Overlay>
      )}
    </header>
  );
}
