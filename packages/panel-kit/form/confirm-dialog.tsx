import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { Dialog } from './dialog.tsx';
import { useClearOfPress } from './use-clear-of-press.tsx';
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
  const place = useClearOfPress();
  const safeAnswer = useId();
  const confirmed = useRef(false);
  // A failure leaves the dialog open: then one may confirm again.
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
      cancelButtonProps={{ disabled: pending, autoFocus: true, id: safeAnswer }}
      closable={!pending && { 'aria-label': t('close') }}
      mask={{ closable: !pending }}
      keyboard={!pending}
      onOk={confirm}
      onCancel={props.onCancel}
      afterOpenChange={(isOpen) => {
        giveFocusBack(isOpen);
        // Above another dialog the focus traps of both compete, and the close button ends up with the focus.
        if (isOpen) document.getElementById(safeAnswer)?.focus();
      }}
      width={460}
      {...place}
    >
      {props.children}
    </Dialog>
  );
}
