import { useEffect } from 'react';

/** Long enough for a dialog or a page to place the focus itself, in ms. */
const graceMs = 120;
const dialogs = '[role=dialog], dialog[open]';
const controls =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]';

/** Where the focus was: each element around it, and the number of the control among those inside. */
type Trail = readonly { readonly around: Element; readonly number: number }[];

const isShown = (element: Element) =>
  element.isConnected && element.checkVisibility({ visibilityProperty: true });

const controlsIn = (around: Element): HTMLElement[] => [...around.querySelectorAll<HTMLElement>(controls)];
const takesFocus = (control: HTMLElement) => control.tabIndex >= 0 && isShown(control);

function trailOf(focused: Element): Trail {
  const trail = [];
  for (let around = focused.parentElement; around && around.id !== 'content'; around = around.parentElement) {
    if (around === document.body) break;
    trail.push({ around, number: controlsIn(around).indexOf(focused as HTMLElement) });
  }
  return trail;
}

/** The control that now stands where the focus was, as near as possible. */
function nearest(trail: Trail, within: Element | null): HTMLElement | undefined {
  for (const { around, number } of trail) {
    if (!isShown(around) || (within && !within.contains(around))) continue;
    const found = controlsIn(around);
    const next = found.slice(Math.max(number, 0)).find(takesFocus) ?? found.findLast(takesFocus);
    if (next) return next;
  }
  return undefined;
}

/**
 * Keeps keyboard and screen reader where they were when the focused control disappears: its row was drawn anew,
 * another button took its place, a notice in a dialog closed. Without it the browser starts again at the top.
 */
export function useFocusKeeper(): void {
  useEffect(() => {
    let last: Element | null = null;
    let lastTrail: Trail = [];
    /** Of the page itself: what a dialog returns to when the button that opened it is gone. */
    let pageTrail: Trail = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const noteFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      last = target;
      lastTrail = trailOf(target);
      if (!target.closest(dialogs)) pageTrail = lastTrail;
    };
    // A click beside all controls takes the focus away on purpose.
    const notePress = ({ target }: PointerEvent) => {
      if (target instanceof Element && !target.closest(controls)) last = null;
    };
    const restore = () => {
      timer = undefined;
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (!isLost || !last || isShown(last)) return;
      const dialog = [...document.querySelectorAll(dialogs)].filter(isShown).at(-1) ?? null;
      const next =
        nearest(lastTrail, dialog) ?? nearest(dialog ? [{ around: dialog, number: 0 }] : pageTrail, dialog);
      (next ?? document.querySelector('h1'))?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      timer ??= setTimeout(restore, graceMs);
    });
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributeFilter: ['class', 'style', 'hidden', 'open'],
    });
    document.addEventListener('focusin', noteFocus);
    document.addEventListener('pointerdown', notePress);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      document.removeEventListener('focusin', noteFocus);
      document.removeEventListener('pointerdown', notePress);
    };
  }, []);
}
