import { useRef, useState } from 'react';

/**
 * Gives the focus back when a dialog has closed, to what had it when the dialog opened. One whose button takes
 * the focus by itself is too late to record that. @returns for `afterOpenChange`
 */
export function useOpener(open: boolean): (isOpen: boolean) => void {
  const opener = useRef<Element | null>(null);
  const [wasOpen, setWasOpen] = useState(false);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) opener.current = document.activeElement;
  }
  return (isOpen) => {
    if (!isOpen && opener.current instanceof HTMLElement) opener.current.focus();
  };
}
