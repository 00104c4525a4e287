import { useIsNarrow } from '@talpa/panel-kit/core';
import { ScrollRestoration } from '@talpa/panel-kit/router';
import { Menu } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Mole } from '../mole.tsx';
import { useShellTexts } from '../texts/shell-texts.ts';
import { Footer } from './footer.tsx';
import styles from './layout.module.css';
import { Sidebar } from './sidebar.tsx';
import { useSidebarState } from './sidebar-state.ts';
import { SuspendedNotice } from './suspended-notice.tsx';

/** The frame of every page behind the sign-in: sidebar (an overlay on narrow screens), page, footer. */
export function Layout({ children }: { readonly children: ReactNode }) {
  const t = useShellTexts();
  const narrow = useIsNarrow();
  const state = useSidebarState();
  const [open, setOpen] = useState(false);
  const menuButton = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    menuButton.current?.focus();
  };
  useEffect(() => {
    if (!narrow) setOpen(false);
  }, [narrow]);
  return (
    <div className={styles.layout} data-sidebar={narrow ? 'overlay' : state}>
      <a className={styles.skip} href="#content">
        {t('layout.skip')}
      </a>
      {narrow && (
        <header className={styles.bar}>
          <span className={styles.brand}>
            <Mole size={26} /> Talpa
          </span>
          <button
            ref={menuButton}
            type="button"
            className={styles.menuButton}
            aria-label={t('layout.open')}
            aria-expanded={open}
            onClick={() => setOpen(true)}
          >
            <Menu size={20} aria-hidden />
          </button>
        </header>
      )}
      {!narrow && <Sidebar expanded={state === 'expanded'} />}
      {narrow && open && (
        // The backdrop is for pointers; the keyboard has Escape and the close button.
        // biome-ignore lint/a11y/noStaticElementInteractions: see above
        <div
          className={styles.backdrop}
          onClick={(event) => event.target === event.currentTarget && close()}
          onKeyDown={(event) => event.key === 'Escape' && close()}
        >
          <Sidebar expanded onClose={close} />
        </div>
      )}
      <div className={styles.main}>
        <main id="content" className={styles.content} tabIndex={-1}>
          <SuspendedNotice />
          {children}
        </main>
        <Footer />
      </div>
      <ScrollRestoration />
    </div>
  );
}
