import type { ProxyConfig } from '@talpa/contracts';
import { useApiMutation } from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { useNavigate } from '@talpa/panel-kit/router';
import { Button } from '@talpa/panel-kit/ui';
import { pages } from '../pages.ts';
import { useLeaving } from './ended.tsx';
import { useMemberTexts } from './texts.ts';

/** Ends the user's own membership after a question. */
export function LeaveButton({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useMemberTexts();
  const navigate = useNavigate();
  const leaving = useLeaving(proxy.id);
  const leave = useConfirm(useApiMutation('POST /api/tunnel-configs/:id/leave'), () => ({
    title: t('leave'),
    text: t(proxy.membership ? 'leave.text' : 'leave.admin', { proxy: proxy.serverName }),
    confirm: t('leave'),
    input: { id: proxy.id },
    done: { title: t('leave.done'), text: proxy.serverName },
    failed: t('leave.failed'),
    onStart: leaving.begin,
    onDone: () => {
      leaving.left();
      navigate(pages.proxies.path, { replace: true });
    },
    onFailed: leaving.stay,
  }));
  return (
    <>
      <Button type="primary" danger onClick={() => leave.ask()}>
        {t('leave')}
      </Button>
      {leave.dialog}
    </>
  );
}
