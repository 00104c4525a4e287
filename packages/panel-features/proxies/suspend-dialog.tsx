import type { ProxyConfig } from '@talpa/contracts';
import { proxyQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { SuspensionForm, useLatest, useOpening } from '@talpa/panel-kit/form';
import { useQueryClient } from '@tanstack/react-query';
import { useProxyTexts } from './texts.ts';
import { TextWithHost } from './unbroken-host.tsx';
import { useKept } from './use-kept.ts';

/** Suspends a proxy with a reason, or changes the reason; for administrators. */
export function SuspendDialog({
  proxy,
  onClose,
}: {
  readonly proxy: ProxyConfig | null;
  readonly onClose: () => void;
}) {
  const kept = useKept(proxy);
  const opening = useOpening(proxy !== null);
  return kept && <SuspendForm key={opening} open={proxy !== null} proxy={kept} onClose={onClose} />;
}

function SuspendForm(props: {
  readonly open: boolean;
  readonly proxy: ProxyConfig;
  readonly onClose: () => void;
}) {
  const t = useProxyTexts();
  const toast = useToast();
  const { open, onClose } = props;
  const { record: proxy, isGone, refetch } = useLatest(props.proxy, proxyQuery(props.proxy.id), open);
  const client = useQueryClient();
  const { mutateAsync } = useApiMutation('POST /api/admin/tunnel-configs/:id/suspension');
  const present = proxy.suspension?.of === 'proxy' ? proxy.suspension.reason : null;
  const suspend = async (reason: string, expected: string | null) => {
    await mutateAsync({ id: proxy.id, reason, expected: { reason: expected } });
    await client.invalidateQueries(proxyQuery(proxy.id));
    toast({
      title: t('suspend.done'),
      text: t('suspend.doneText', { name: proxy.serverName }),
      tone: 'success',
    });
    onClose();
  };
  return (
    <SuspensionForm
      open={open}
      title={present === null ? t('suspend.title', { name: proxy.serverName }) : t('suspend.changeTitle')}
      submit={present === null ? t('suspend.confirm') : t('suspend.change')}
      failed={t('suspend.failed')}
      effect={<TextWithHost text={t('suspend.text', { address: proxy.cfDomain })} host={proxy.cfDomain} />}
      reason={present}
      isGone={isGone}
      onOutdated={refetch}
      onSubmit={suspend}
      onClose={onClose}
    />
  );
}
