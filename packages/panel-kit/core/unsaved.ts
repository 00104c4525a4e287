import { useEffect } from 'react';

const unsaved = new Set<symbol>();

const askOnClose = (event: BeforeUnloadEvent) => event.preventDefault();

/** Whether something typed would be lost by leaving the page. */
export function hasUnsaved(): boolean {
  return unsaved.size > 0;
}

/** While it is true, leaving the page asks first: inside the panel (`LeaveGuard`) and when the tab is closed. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const mark = Symbol('unsaved');
    unsaved.add(mark);
    window.addEventListener('beforeunload', askOnClose);
    return () => {
      unsaved.delete(mark);
      if (unsaved.size === 0) window.removeEventListener('beforeunload', askOnClose);
    };
  }, [isUnsaved]);
}
