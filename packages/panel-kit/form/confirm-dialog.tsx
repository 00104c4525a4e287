import { type ReactNode, useEffect, useRef } from 'react';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { Dialog } from './dialog.tsx';
import { firstFocus } from './use-first-focus.ts';
import { useOpener } from './use-opener.ts';
import { useOpening } from './use-opening.ts';

interface Props {
  readonly open: boolean;
  readonly title: string;
  readonly children: ReactNode;
  readonly confirm: string;
  /** The safe answer; “Cancel” when left out. */
  readonly cancel?: string;
  readonly danger?: boolean;
  readonly pending?: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks before something destructive is done. The focus starts on the safe answer; confirming twice counts once. */
export function ConfirmDialog(props: Props) {
  const opening = useOpening(props.open);
  return opening > 0 && <OpenedDialog key={opening} {...props} />;
}

function OpenedDialog(props: Props) {
  const t = useKitTexts();
  const pending = props.pending ?? false;
  const giveFocusBack = useOpener(props.open);
  const confirmed = useRef(false);
  // A failure leaves the dialog open: then the user may confirm again.
  useEffect(() => {
    confirmed.current = false;
  });
  const confirm = () => {
    if (confirmed.current) return;
    confirmed.current = true;
    props.onConfirm();
  };
  return (
    <Dialog
      open={props.open}
      title={props.title}
      okText={props.confirm}
      cancelText={props.cancel ?? t('cancel')}
      okButtonProps={{ danger: props.danger ?? false, loading: pending }}
      cancelButtonProps={{ disabled: pending, ...firstFocus }}
      closable={!pending && { 'aria-label': t('close') }}
      mask={{ closable: !pending }}
      keyboard={!pending}
      onOk={confirm}
      onCancel={props.onCancel}
      afterOpenChange={giveFocusBack}
      width={460}
    >
      {props.children}
    </Dialog>
  );
}
