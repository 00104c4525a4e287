import { useMemo, useSyncExternalStore } from 'react';

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  const list = useMemo(() => window.matchMedia(query), [query]);
  return useSyncExternalStore(
    (changed) => {
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => list.matches,
  );
}

/** Whether the screen is under 768 px wide: the sidebar is an overlay, tables are cards. */
export function useIsNarrow(): boolean {
  return useMedia('(width < 768px)');
}
