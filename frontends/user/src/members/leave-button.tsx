import type { ProxyConfig } from '@talpa/contracts';
import { useApiMutation, useToast } from '@talpa/panel-kit/core';
import { ConfirmDialog } from '@talpa/panel-kit/form';
import { useNavigate } from '@talpa/panel-kit/router';
import { Button } from '@talpa/panel-kit/ui';
import { useState } from 'react';
import { pages } from '../pages.ts';
import { useLeaving } from './ended.tsx';
import { useMemberTexts } from './texts.ts';

/** Ends the user's own membership after a question. */
export function LeaveButton({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useMemberTexts();
  const toast = useToast();
  const navigate = useNavigate();
  const leaving = useLeaving(proxy.id);
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending } = useApiMutation('POST /api/tunnel-configs/:id/leave');
  const leave = () => {
    leaving.begin();
    mutate(
      { id: proxy.id },
      {
        onSuccess: () => {
          leaving.left();
          toast({ title: t('leave.done'), text: proxy.serverName, tone: 'success' });
          navigate(pages.proxies.path, { replace: true });
        },
        onError: ({ message }) => {
          leaving.stay();
          toast({ title: t('leave.failed'), text: message, tone: 'error' });
        },
      },
    );
  };
  return (
    <>
      <Button type="primary" danger onClick={() => setAsking(true)}>
        {t('leave')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={t('leave')}
        confirm={t('leave')}
        danger
        pending={isPending}
        onConfirm={leave}
        onCancel={() => setAsking(false)}
      >
        {t(proxy.membership ? 'leave.text' : 'leave.admin', { proxy: proxy.serverName })}
      </ConfirmDialog>
    </>
  );
}
