import { useEffect, useLayoutEffect, useRef } from 'react';

/** What a form says when it is asked whether something typed would be lost. */
interface OpenForm {
  readonly isUnsaved: () => boolean;
  /** Whether it outlives a change of the page's tab. */
  readonly spansTabs: boolean;
}
const forms = new Set<OpenForm>();

/** Whether something typed would be lost by leaving the page, or one of its tabs. Asks each form anew. */
export function hasUnsaved(left: 'page' | 'tab' = 'page'): boolean {
  return [...forms].some((form) => !(left === 'tab' && form.spansTabs) && form.isUnsaved());
}

/**
 * Has a form asked before somebody leaves the page: inside the panel (`LeaveGuard`) and when the tab is closed.
 * @param isUnsaved reads the fields themselves: what was typed last may not have been drawn yet
 * @param options.spansTabs whether the form stands above the page's tabs
 */
export function useUnsaved(isUnsaved: () => boolean, { spansTabs = false } = {}): void {
  const latest = useRef(isUnsaved);
  useLayoutEffect(() => {
    latest.current = isUnsaved;
  });
  useEffect(() => {
    const form = { isUnsaved: () => latest.current(), spansTabs };
    const askOnClose = (event: BeforeUnloadEvent) => {
      if (form.isUnsaved()) event.preventDefault();
    };
    forms.add(form);
    window.addEventListener('beforeunload', askOnClose);
    return () => {
      forms.delete(form);
      window.removeEventListener('beforeunload', askOnClose);
    };
  }, []);
}
