import { type RefObject, useEffect, useState } from 'react';

/** Stands for a part that is awaited and shows nothing meanwhile: what follows on the page waits for it. */
export function Awaited() {
  return <span hidden data-awaited />;
}

/**
 * Whether a page is shown for the first time and some of its parts are awaited. Until then what follows such a part is
 * not shown (`page.module.css`): the part would push it away under a press, and another button there.
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
