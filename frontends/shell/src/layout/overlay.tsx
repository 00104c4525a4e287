import { type ReactNode, useEffect, useRef } from 'react';
import styles from './layout.module.css';

/**
 * Something over the page that keeps the focus until it is closed: by Escape, a tap beside it, or `close`. It
 * is the browser's own dialog, which also gives the focus back to where it was.
 */
export function Overlay(props: {
  readonly label: string;
  /** How it looks; left out: as the menu of narrow screens. */
  readonly className?: string | undefined;
  readonly onClosed: () => void;
  readonly children: (close: () => void) => ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();
  return (
    // Escape is the dialog's own; otherwise the user can only tap.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <dialog
      ref={dialog}
      className={props.className ?? styles.overlay}
      aria-label={props.label}
      onClose={props.onClosed}
      onClick={({ target }) => target === dialog.current && close()}
    >
      {props.children(close)}
    </dialog>
  );
}
