import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import styles from './tab-links.module.css';

/** A tab's address and its name. */
export interface TabLink {
  readonly to: string;
  readonly label: string;
  readonly isCurrent: boolean;
}

/**
 * The tabs of a page that have addresses of their own. They are links: each can be opened beside the page, kept, and gone back to,
 * and the focus stays on the one that was followed. Those without room are scrolled to.
 */
export function TabLinks({ label, tabs }: { readonly label: string; readonly tabs: readonly TabLink[] }) {
  const list = useRef<HTMLUListElement>(null);
  const current = tabs.find(({ isCurrent }) => isCurrent)?.to;
  useLayoutEffect(() => {
    const shown = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (!list.current || !shown) return;
    // Only sideways: the page itself stays where it is.
    list.current.scrollLeft = shown.offsetLeft - (list.current.clientWidth - shown.offsetWidth) / 2;
  }, [current]);
  return (
    <nav aria-label={label} className={styles.tabs}>
      <ul ref={list}>
        {tabs.map((tab) => (
          <li key={tab.to}>
            <Link to={tab.to} preventScrollReset {...(tab.isCurrent ? { 'aria-current': 'page' } : {})}>
              {tab.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
