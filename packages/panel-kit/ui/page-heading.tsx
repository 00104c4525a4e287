import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/** The path whose heading was last shown, and whether the focus was moved to it. */
let shownPath: string | null = null;
let hasMoved = false;

/**
 * Moves the focus to the heading of a page the user has come to, which also has a screen reader say it. Not at the
 * first page (the browser reads that one), nor while one stays on the same page.
 */
function useArrival(heading: RefObject<HTMLHeadingElement | null>): void {
  const { pathname, key } = useLocation();
  useLayoutEffect(() => {
    const isFirst = shownPath === null && key === 'default';
    const isNew = pathname !== shownPath;
    // A page that shows another heading once it is loaded takes the focus along.
    const isLost = hasMoved && document.activeElement === document.body;
    hasMoved = !isFirst && (isNew || isLost);
    shownPath = pathname;
    if (hasMoved) heading.current?.focus({ preventScroll: true });
  }, [heading, pathname, key]);
}

/** A page's heading, where the focus goes when one comes to the page. */
export function PageHeading(props: { readonly className?: string | undefined; readonly children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useArrival(heading);
  return (
    <h1 ref={heading} tabIndex={-1} className={props.className}>
      {props.children}
    </h1>
  );
}
