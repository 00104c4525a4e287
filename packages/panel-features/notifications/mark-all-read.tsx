import type { Notification } from '@talpa/contracts';
import { unreadCountQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { Button } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { CheckCheck } from 'lucide-react';
import { useNotificationTexts } from './texts.ts';

/** Marks everything as read up to the newest that is shown. */
export function MarkAllRead({ newest }: { readonly newest: Notification | undefined }) {
  const t = useNotificationTexts();
  const toast = useToast();
  const { data } = useQuery(unreadCountQuery);
  const { mutate, isPending } = useApiMutation('POST /api/user/notifications/read');
  const onError = ({ message }: { readonly message: string }) =>
    toast({ title: t('markAll.failed'), text: message, tone: 'error' });
  return (
    <Button
      size="small"
      icon={<CheckCheck size={15} aria-hidden />}
      disabled={!newest || data?.unread === 0}
      loading={isPending}
      onClick={() => newest && mutate({ upTo: newest.id }, { onError })}
    >
      {t('markAll')}
    </Button>
  );
}
