import { useEffect } from 'react';

const aside = '[role=dialog], dialog[open], [role=region]';
const rowsOf = (list: Element | null) => [...(list?.querySelectorAll('[data-row-key]') ?? [])];
const controls = 'button:enabled, a[href]';

/** Something that had the focus, and where in a list it stood. */
interface Place {
  readonly element: HTMLElement;
  readonly list: Element | null;
  readonly index: number;
}

function placeOf(element: HTMLElement): Place {
  const list = element.closest('[data-list]');
  const row = element.closest('[data-row-key]');
  return { element, list, index: row ? rowsOf(list).indexOf(row) : 0 };
}

const isThere = (element: Element) => element.isConnected && element.checkVisibility();
const isNowhere = () => document.activeElement === null || document.activeElement === document.body;

function firstControl(within: Element | null, selector = controls): HTMLElement | undefined {
  return [...(within?.querySelectorAll<HTMLElement>(selector) ?? [])].find(isThere);
}

/** What comes next to a place: itself, the rows after it, those before it, its list, the page's heading. */
function nearest({ element, list, index }: Place): HTMLElement | null | undefined {
  if (isThere(element) && !element.matches(':disabled')) return element;
  const rows = rowsOf(list);
  const near = [...rows.slice(index), ...rows.slice(0, index).reverse()];
  const inRow = near.map((row) => firstControl(row, '[data-actions] button:enabled') ?? firstControl(row));
  return (
    inRow.find((control) => control !== undefined) ??
    // What an empty list offers comes after its search.
    [...(list?.querySelectorAll<HTMLElement>(controls) ?? [])].findLast(isThere) ??
    document.querySelector('h1')
  );
}

/**
 * Keeps the focus on the page: when what has it goes (a deleted row, a dialog whose button went with its row), a
 * keyboard would begin anew at the top of the document, and a screen reader would say nothing. Once in the panel.
 */
export function useFocusKeeper(): void {
  useEffect(() => {
    let last: HTMLElement | null = null;
    /** Outside of dialogs and toasts: these give it back. */
    let place: Place | null = null;
    let frame = 0;
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      last = target;
      if (!target.closest(aside)) place = placeOf(target);
    };
    const check = () => {
      frame = 0;
      // What is there has lost the focus to a click beside it.
      if (!last || !isNowhere() || isThere(last)) return;
      const dialog = [...document.querySelectorAll<HTMLElement>('[role=dialog]')].filter(isThere).at(-1);
      if (dialog) (firstControl(dialog) ?? dialog).focus();
      else if (place) nearest(place)?.focus();
    };
    // Others who move the focus come first; the browser takes it from what is hidden when it has drawn.
    const checkLater = () => {
      frame ||= requestAnimationFrame(() => {
        frame = requestAnimationFrame(check);
      });
    };
    const changes = new MutationObserver(checkLater);
    changes.observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ['style', 'class', 'hidden'],
    });
    document.addEventListener('focusin', note);
    return () => {
      changes.disconnect();
      document.removeEventListener('focusin', note);
      cancelAnimationFrame(frame);
    };
  }, []);
}
