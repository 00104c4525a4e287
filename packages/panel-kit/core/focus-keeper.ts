import { useEffect } from 'react';

const dialogs = '[role=dialog], dialog[open]';
/** These give the focus back by themselves. */
const aside = `${dialogs}, [role=region]`;
const controls =
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex]:not([tabindex="-1"])';

/** An element around the one that had the focus, and the number of that one among the controls inside. */
interface Step {
  readonly around: Element;
  readonly number: number;
}

/** Where the focus was: the element, its row in a list, and its place in each element around it. */
interface Place {
  readonly element: HTMLElement;
  /** The lists around it, the nearest first. */
  readonly lists: readonly Element[];
  readonly row: number;
  readonly trail: readonly Step[];
}

const rowsOf = (list: Element | undefined) => [...(list?.querySelectorAll('[data-row-key]') ?? [])];
const isShown = (element: Element) =>
  element.isConnected && element.checkVisibility({ visibilityProperty: true });
const isUsable = (element: Element) => isShown(element) && !element.matches(':disabled');
/** What is disabled or hidden still has the focus until the browser draws again, which can come after our look. */
const isLost = () => {
  const { activeElement } = document;
  return !activeElement || activeElement === document.body || !isUsable(activeElement);
};
const controlsIn = (around: Element | null, selector = controls) =>
  [...(around?.querySelectorAll<HTMLElement>(selector) ?? [])].filter(isShown);

function placeOf(element: HTMLElement): Place {
  const trail: Step[] = [];
  for (let around = element.parentElement; around && around !== document.body; around = around.parentElement)
    trail.push({ around, number: controlsIn(around).indexOf(element) });
  const lists = trail.map(({ around }) => around).filter((around) => around.matches('[data-list]'));
  const row = element.closest('[data-row-key]');
  return { element, lists, row: row ? rowsOf(lists[0]).indexOf(row) : 0, trail };
}

/** The first action of the row that follows, or else of the one before; in an empty list what it offers last. */
function inList({ lists, row }: Place): HTMLElement | undefined {
  const list = lists.find(isShown);
  const rows = rowsOf(list);
  const near = [...rows.slice(row), ...rows.slice(0, row).reverse()];
  const actions = near.flatMap((one) => controlsIn(one, '[data-actions] button:enabled').slice(0, 1));
  return actions[0] ?? controlsIn(list ?? null).at(-1);
}

/** The control that now stands where the lost one stood, as near as possible. */
function besides({ trail }: Place): HTMLElement | undefined {
  for (const { around, number } of trail) {
    if (!isShown(around)) continue;
    const found = controlsIn(around);
    const next = found[Math.max(number, 0)] ?? found.at(-1);
    if (next) return next;
  }
  return undefined;
}

const nearest = (place: Place) =>
  isUsable(place.element) ? place.element : (inList(place) ?? besides(place));

/**
 * Keeps the focus on the page when the element that has it disappears or is disabled: a deleted row, a button replaced
 * by its opposite, a dialog whose opener went with its row, a field while its form is sent. Without it the browser moves the focus to the body, and
 * keyboard and screen reader start again at the top. Call it once in the panel.
 */
export function useFocusKeeper(): void {
  useEffect(() => {
    let last: Place | null = null;
    /** Outside of dialogs and toasts. */
    let onPage: Place | null = null;
    /** A field that is disabled while a form is sent, and what has the focus for it. */
    let lent: { readonly from: HTMLElement; readonly to: HTMLElement } | null = null;
    /** The element that lost the focus because it was disabled or hidden. It gets the focus back if it is usable again. */
    let taken: EventTarget | null = null;
    let frame = 0;
    const trackFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      taken = null;
      if (lent && target !== lent.to) lent = null;
      last = placeOf(target);
      if (!target.closest(aside)) onPage = last;
    };
    const trackLoss = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || isUsable(target)) return;
      taken = target;
      restoreLater();
    };
    // A press beside all controls takes the focus away on purpose.
    const trackPress = ({ target }: PointerEvent) => {
      if (target instanceof Element && !target.closest(controls)) last = null;
    };
    const restore = () => {
      frame = 0;
      if (lent && isUsable(lent.from) && document.activeElement === lent.to) return lent.from.focus();
      if (!last || !isLost() || (isUsable(last.element) && taken !== last.element)) return;
      const dialog = [...document.querySelectorAll<HTMLElement>(dialogs)].filter(isShown).at(-1);
      const found = dialog
        ? [nearest(last), ...controlsIn(dialog)].find((one) => one && dialog.contains(one))
        : onPage && nearest(onPage);
      const target = found ?? dialog ?? document.querySelector('h1');
      if (!target) return;
      lent = isShown(last.element) ? { from: last.element, to: target } : null;
      target.focus({ preventScroll: true });
    };
    // Two frames later: dialogs and pages that place the focus themselves come first.
    const restoreLater = () => {
      frame ||= requestAnimationFrame(() => {
        frame = requestAnimationFrame(restore);
      });
    };
    const changes = new MutationObserver(restoreLater);
    changes.observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ['class', 'style', 'hidden', 'open', 'disabled'],
    });
    document.addEventListener('focusin', trackFocus);
    document.addEventListener('focusout', trackLoss);
    document.addEventListener('pointerdown', trackPress);
    return () => {
      changes.disconnect();
      document.removeEventListener('focusin', trackFocus);
      document.removeEventListener('focusout', trackLoss);
      document.removeEventListener('pointerdown', trackPress);
      cancelAnimationFrame(frame);
    };
  }, []);
}
