import { type RefObject, useCallback, useState } from 'react';

/** Room between the last press and a button that destroys something, in px. */
const room = 24;

interface Point {
  readonly x: number;
  readonly y: number;
}
let lastPress: Point | null = null;
document.addEventListener(
  'pointerdown',
  ({ clientX: x, clientY: y }) => {
    lastPress = { x, y };
  },
  { capture: true, passive: true },
);

/** Where the last click began: a second one elsewhere belongs to it still, for who clicks twice, and selects nothing there. */
let pressed: EventTarget | null = null;
let isElsewhere = false;
document.addEventListener(
  'mousedown',
  ({ target, detail }) => {
    isElsewhere = detail > 1 && target !== pressed;
    if (detail === 1) pressed = target;
  },
  { capture: true, passive: true },
);
// Not the press itself: it has to give the focus still.
document.addEventListener('selectstart', (event) => {
  const isField = event.target instanceof Element && event.target.closest('input, textarea') !== null;
  if (isElsewhere && !isField) event.preventDefault();
});

/**
 * Moves a dialog up or down when its destructive button would appear under the pointer: the second press of a
 * double click must not confirm. @returns the dialog's distance from the top of the window, in px, where it has to
 * move, and the ref of its frame
 */
export function useClearOfPress(frame: RefObject<HTMLDivElement | null>) {
  const [top, setTop] = useState<number | null>(null);
  // Observed, because a portal is attached to the page only after the refs inside it are set.
  const observe = useCallback(
    (element: HTMLDivElement) => {
      frame.current = element;
      const observer = new ResizeObserver(() => {
        observer.disconnect();
        const button = element.querySelector<HTMLElement>('.ant-modal-footer .ant-btn-dangerous');
        if (button && lastPress) setTop(topClearOf(lastPress, layoutOf(button), layoutOf(element).top));
      });
      observer.observe(element);
      return () => {
        frame.current = null;
        observer.disconnect();
      };
    },
    [frame],
  );
  return { top, observe };
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Where an element stands in the window, without the scaling of an animation that still runs. */
function layoutOf(element: HTMLElement): Box {
  const { offsetWidth: width, offsetHeight: height } = element;
  let [left, top] = [0, 0];
  for (let at: Element | null = element; at instanceof HTMLElement; at = at.offsetParent) {
    left += at.offsetLeft;
    top += at.offsetTop;
  }
  return { left, top, width, height };
}

/** Where a dialog has to stand so that its button is clear of the press, in px; null: where it stands. */
function topClearOf(press: Point, button: Box, top: number): number | null {
  const besides = press.x < button.left - room || press.x > button.left + button.width + room;
  const above = press.y < button.top - room;
  const below = press.y > button.top + button.height + room;
  if (besides || above || below) return null;
  const down = press.y + room - button.top;
  if (button.top + button.height + down + room <= window.innerHeight) return top + down;
  const up = button.top + button.height + room - press.y;
  return Math.max(8, top - up);
}
