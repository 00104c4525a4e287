import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';

/** Shows a secret that is shown only once: neither Escape nor a press beside the dialog may lose it. */
export function ShownOnceDialog(props: {
  readonly open: boolean;
  readonly title: string;
  readonly okText: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Dialog
      open={props.open}
      title={props.title}
      okText={props.okText}
      cancelButtonProps={{ style: { display: 'none' } }}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      onOk={props.onClose}
      onCancel={props.onClose}
      width={520}
    >
      {props.children}
    </Dialog>
  );
}
