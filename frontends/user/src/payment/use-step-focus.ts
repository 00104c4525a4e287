import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Step } from './flow.ts';

/**
 * Keeps the focus with a dialog of steps. At each new step it goes to the content: the button that was pressed may
 * be gone. When the dialog closes it goes back to what had it, or to `elsewhere` where that cannot take it.
 */
export function useStepFocus(
  step: Step,
  elsewhere: () => void,
): { readonly content: RefObject<HTMLElement | null>; readonly giveBack: () => void } {
  const content = useRef<HTMLElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    content.current?.focus();
  }, [step]);

  const [opener] = useState(() => document.activeElement);
  const giveBack = () => {
    const { activeElement } = document;
    const dialog = content.current?.closest('[role=dialog]');
    const isLost = !activeElement || activeElement === document.body || dialog?.contains(activeElement);
    if (!isLost) return;
    if (opener instanceof HTMLElement) opener.focus();
    if (document.activeElement !== opener || opener === document.body) elsewhere();
  };
  // It may be taken away before its closing has been seen to the end.
  const giveBackAtLeast = useEffectEvent(giveBack);
  useEffect(() => () => giveBackAtLeast(), []);
  return { content, giveBack };
}
