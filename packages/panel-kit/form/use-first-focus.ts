import { type RefObject, useEffect, useEffectEvent } from 'react';

/** Marks what has the focus when its dialog opens. */
export const firstFocus = { 'data-first-focus': '' } as const;

const isUsable = (field: HTMLElement) => !field.matches(':read-only, :disabled') && field.checkVisibility();

/**
 * Puts the focus where a dialog begins: on what is marked, else on its form's first field that can be edited. antd
 * would begin at the close button. @returns for `afterOpenChange`
 */
export function useFirstFocus(
  frame: RefObject<HTMLElement | null>,
  open: boolean,
): (isOpen: boolean) => void {
  const begin = useEffectEvent(() => {
    const marked = frame.current?.querySelector<HTMLElement>('[data-first-focus]');
    const fields = frame.current?.querySelectorAll<HTMLElement>('form :is(input, textarea)') ?? [];
    // What stands before the field stays in sight.
    (marked ?? [...fields].find(isUsable))?.focus({ preventScroll: true });
  });
  // At once: what is typed while the dialog still appears is not lost.
  useEffect(() => {
    if (open) begin();
  }, [open]);
  // Above another dialog the focus traps of both compete, and the close button ends up with the focus.
  return (isOpen) => {
    if (isOpen && !frame.current?.querySelector('.ant-modal-body :focus, .ant-modal-footer :focus')) begin();
  };
}
