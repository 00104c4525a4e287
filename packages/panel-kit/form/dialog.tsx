import { Modal, type ModalProps } from 'antd';
import { type CSSProperties, useDeferredValue, useRef } from 'react';
import { useLanguage } from '../core/texts/language.ts';
import styles from './dialog.module.css';
import { useClearOfPress } from './use-clear-of-press.ts';
import { useEscape } from './use-escape.ts';
import { useFirstFocus } from './use-first-focus.ts';

interface Props
  extends Omit<ModalProps, 'onCancel' | 'open' | 'style' | 'styles' | 'className' | 'classNames'> {
  readonly open: boolean;
  /** Called by Escape, the close button, the cancel button and a press beside the dialog. */
  readonly onCancel: () => void;
}

/**
 * antd's own layer keeps the page behind from scrolling; without it the dialog would lie among a page's menus. Its types
 * do not know that null asks for it.
 */
const ownLayer = null as never;

/** What is longer than the window and holds nothing that takes the focus takes it itself: the arrow keys scroll it then. */
function letKeysScroll(frame: HTMLElement | null): void {
  const body = frame?.querySelector<HTMLElement>('.ant-modal-body');
  if (!body || body.scrollHeight <= body.clientHeight) return;
  if (!body.querySelector('a[href], button, input, select, textarea, summary, [tabindex]')) body.tabIndex = 0;
}

/** antd's dialog, marked with the language of the part of the panel that opened it: it lies outside of that part. */
export function Dialog({ keyboard = true, onCancel, afterOpenChange, ...props }: Props) {
  const lang = useLanguage();
  const frame = useRef<HTMLDivElement>(null);
  const { top, observe } = useClearOfPress(frame);
  // Drawing a form takes a slow phone long. The browser answers the press first, then the dialog is drawn.
  const isDrawn = useDeferredValue(props.open, false);
  const open = props.open && isDrawn;
  const focusFirst = useFirstFocus(frame, open);
  useEscape(open, () => keyboard && onCancel());
  return (
    <Modal
      getContainer={ownLayer}
      // It appears without growing: a press that begins on a button would end beside it, and be none.
      transitionName="ant-fade"
      {...props}
      open={open}
      keyboard={false}
      onCancel={() => onCancel()}
      afterOpenChange={(isOpen) => {
        focusFirst(isOpen);
        if (isOpen) letKeysScroll(frame.current);
        afterOpenChange?.(isOpen);
      }}
      wrapProps={{ ...props.wrapProps, lang }}
      modalRender={(dialog) => (
        <div ref={observe} className={styles.frame}>
          {dialog}
        </div>
      )}
      className={styles.dialog ?? ''}
      classNames={{
        wrapper: styles.wrap ?? '',
        container: styles.container ?? '',
        body: styles.body ?? '',
      }}
      styles={{
        wrapper: (top === null
          ? {}
          : { '--dialog-top': `${top}px`, '--dialog-room': '0px' }) as CSSProperties,
      }}
    />
  );
}
