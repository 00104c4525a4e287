import { Modal, type ModalProps } from 'antd';
import { useLanguage } from '../core/texts/language.ts';

/** antd's dialog, marked with the language of the part of the panel that opened it: it lies outside of that part. */
export function Dialog(props: ModalProps) {
  const lang = useLanguage();
  // antd's own layer keeps the page behind from scrolling; without it the dialog would lie among a page's menus.
  const ownLayer = null as never;
  return <Modal getContainer={ownLayer} {...props} wrapProps={{ ...props.wrapProps, lang }} />;
}
