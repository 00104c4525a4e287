import type { CustomDomain } from '@talpa/contracts';
import { useApiMutation, useToast } from '@talpa/panel-kit/core';
import { ConfirmDialog } from '@talpa/panel-kit/form';
import { useDomainTexts } from './texts.ts';

/** Removes a domain after a question. */
export function RemoveDialog(props: {
  readonly open: boolean;
  readonly proxyId: number;
  readonly domain: CustomDomain;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}) {
  const t = useDomainTexts();
  const toast = useToast();
  const { id, host } = props.domain;
  const { mutate, isPending } = useApiMutation('DELETE /api/tunnel-configs/:id/domains/:domainId');
  const remove = () =>
    mutate(
      { id: props.proxyId, domainId: id },
      {
        onSuccess: () => {
          props.onClose();
          props.onRemoved();
          toast({ title: t('remove.done'), text: host, tone: 'success' });
        },
        onError: ({ message }) => toast({ title: t('remove.failed'), text: message, tone: 'error' }),
      },
    );
  return (
    <ConfirmDialog
      open={props.open}
      title={t('remove.title')}
      confirm={t('remove.submit')}
      danger
      pending={isPending}
      onConfirm={remove}
      onCancel={props.onClose}
    >
      {t('remove.text', { host })}
    </ConfirmDialog>
  );
}
