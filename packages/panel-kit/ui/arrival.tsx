import { type RefObject, useEffect, useState } from 'react';

/** Against layout shift: stands for a part that is loading and shows nothing meanwhile. What follows it on the page waits for it. */
export function Awaited() {
  return <span hidden data-awaited />;
}

/**
 * Whether a page is shown for the first time and some of its parts are still loading. What follows such a part is hidden
 * (`page.module.css`): the part would push it away under a press, and another button there.
 */
export function useIsArriving(page: RefObject<HTMLElement | null>): boolean {
  const [hasArrived, setArrived] = useState(false);
  useEffect(() => {
    const look = () => {
      if (page.current?.querySelector('.ant-skeleton-active, [data-awaited], [data-loading]')) return;
      observer.disconnect();
      setArrived(true);
    };
    const observer = new MutationObserver(look);
    if (page.current) observer.observe(page.current, { childList: true, subtree: true });
    look();
    return () => observer.disconnect();
  }, [page]);
  return !hasArrived;
}
