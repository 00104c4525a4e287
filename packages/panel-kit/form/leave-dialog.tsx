import { useKitTexts } from '../core/texts/kit-texts.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Asks before what was typed is lost. */
export function LeaveDialog(props: {
  readonly open: boolean;
  readonly onStay: () => void;
  readonly onLeave: () => void;
}) {
  const t = useKitTexts();
  return (
    <ConfirmDialog
      open={props.open}
      title={t('leave.title')}
      confirm={t('leave.confirm')}
      cancel={t('leave.stay')}
      danger
      onConfirm={props.onLeave}
      onCancel={props.onStay}
    >
      {t('leave.text')}
    </ConfirmDialog>
  );
}
