import { Modal } from 'antd';
import type { ReactNode } from 'react';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { useOpener } from './use-opener.ts';

/** Asks before something is done that hurts. The focus starts on the safe answer. */
export function ConfirmDialog(props: {
  readonly open: boolean;
  readonly title: string;
  readonly children: ReactNode;
  readonly confirm: string;
  readonly danger?: boolean;
  readonly pending?: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}) {
  const t = useKitTexts();
  const pending = props.pending ?? false;
  const giveFocusBack = useOpener(props.open);
  return (
    <Modal
      open={props.open}
      title={props.title}
      okText={props.confirm}
      cancelText={t('cancel')}
      okButtonProps={{ danger: props.danger ?? false, loading: pending }}
      cancelButtonProps={{ disabled: pending, autoFocus: true }}
      closable={!pending && { 'aria-label': t('close') }}
      maskClosable={!pending}
      keyboard={!pending}
      onOk={props.onConfirm}
      onCancel={props.onCancel}
      afterOpenChange={giveFocusBack}
      width={460}
    >
      {props.children}
    </Modal>
  );
}
