import { Modal, type ModalProps } from 'antd';
import { useLanguage } from '../core/texts/language.ts';
import { useEscape } from './use-escape.ts';

interface Props extends Omit<ModalProps, 'onCancel' | 'open'> {
  readonly open: boolean;
  /** Called by Escape, the close button, the cancel button and a press beside the dialog. */
  readonly onCancel: () => void;
}

/** antd's dialog, marked with the language of the part of the panel that opened it: it lies outside of that part. */
export function Dialog({ keyboard = true, onCancel, ...props }: Props) {
  const lang = useLanguage();
  useEscape(props.open, () => keyboard && onCancel());
  // antd's own layer keeps the page behind from scrolling; without it the dialog would lie among a page's menus.
  const ownLayer = null as never;
  return (
    <Modal
      getContainer={ownLayer}
      {...props}
      keyboard={false}
      onCancel={() => onCancel()}
      wrapProps={{ ...props.wrapProps, lang }}
    />
  );
}
