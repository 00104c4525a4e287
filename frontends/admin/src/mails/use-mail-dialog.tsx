import type { LoggedMail } from '@talpa/contracts';
import { useApiMutation, useToast } from '@talpa/panel-kit/core';
import { useState } from 'react';
import { MailDialog } from './mail-dialog.tsx';
import { useMailTexts } from './texts.ts';

/** What a list of emails offers: to look at one, and to send it again. */
export function useMailDialog() {
  const t = useMailTexts();
  const toast = useToast();
  const again = useApiMutation('POST /api/admin/mails/:id/sending');
  const [isOpen, setOpen] = useState(false);
  // Kept while its dialog closes, so that the dialog does not go blank.
  const [selected, setSelected] = useState<LoggedMail | null>(null);
  const onSendAgain = ({ id }: LoggedMail) =>
    again.mutate(
      { id },
      {
        onSuccess: () => toast({ title: t('again.done'), tone: 'success' }),
        onError: ({ message }) => toast({ title: t('again.failed'), text: message, tone: 'error' }),
      },
    );
  const onShow = (mail: LoggedMail) => {
    setSelected(mail);
    setOpen(true);
  };
  const dialog = selected && (
    <MailDialog open={isOpen} mail={selected} onSendAgain={onSendAgain} onClose={() => setOpen(false)} />
  );
  return { onShow, onSendAgain, dialog };
}
