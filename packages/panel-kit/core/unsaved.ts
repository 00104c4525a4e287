import { useEffect, useLayoutEffect, useRef } from 'react';

/** What each form on the page says when it is asked. */
const forms = new Set<() => boolean>();

const askOnClose = (event: BeforeUnloadEvent) => {
  if (hasUnsaved()) event.preventDefault();
};

/** Whether something typed would be lost by leaving the page. Asks each form anew. */
export function hasUnsaved(): boolean {
  return [...forms].some((isUnsaved) => isUnsaved());
}

/**
 * Has a form asked before somebody leaves the page: inside the panel (`LeaveGuard`) and when the tab is closed.
 * @param isUnsaved reads the fields themselves: what was typed last may not have been drawn yet
 */
export function useUnsaved(isUnsaved: () => boolean): void {
  const latest = useRef(isUnsaved);
  useLayoutEffect(() => {
    latest.current = isUnsaved;
  });
  useEffect(() => {
    const form = () => latest.current();
    forms.add(form);
    window.addEventListener('beforeunload', askOnClose);
    return () => {
      forms.delete(form);
      if (forms.size === 0) window.removeEventListener('beforeunload', askOnClose);
    };
  }, []);
}
