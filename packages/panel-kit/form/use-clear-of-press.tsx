import { type CSSProperties, type ReactNode, useCallback, useState } from 'react';

/** Where antd puts a dialog, in px from the top of the window. */
const defaultTop = 100;
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

/**
 * Moves a dialog up or down when its destructive button would appear under the pointer: the second press of a
 * double click must not confirm. @returns props for the dialog
 */
export function useClearOfPress(): {
  readonly modalRender: (dialog: ReactNode) => ReactNode;
  readonly style: CSSProperties;
} {
  const [top, setTop] = useState(defaultTop);
  // Observed, because a portal is attached to the page only after the refs inside it are set.
  const observe = useCallback((frame: HTMLDivElement) => {
    const observer = new ResizeObserver(() => {
      observer.disconnect();
      const button = frame.querySelector<HTMLElement>('.ant-modal-footer .ant-btn-dangerous');
      if (button && lastPress) setTop(topClearOf(lastPress, layoutOf(button)));
    });
    observer.observe(frame);
    return () => observer.disconnect();
  }, []);
  return { modalRender: (dialog) => <div ref={observe}>{dialog}</div>, style: { top } };
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

/** The dialog's distance from the top of the window at which the button is clear of the press, in px. */
export function topClearOf(press: Point, button: Box, windowHeight = window.innerHeight): number {
  const besides = press.x < button.left - room || press.x > button.left + button.width + room;
  const above = press.y < button.top - room;
  const below = press.y > button.top + button.height + room;
  if (besides || above || below) return defaultTop;
  const down = press.y + room - button.top;
  if (button.top + button.height + down + room <= windowHeight) return defaultTop + down;
  const up = button.top + button.height + room - press.y;
  return Math.max(8, defaultTop - up);
}
