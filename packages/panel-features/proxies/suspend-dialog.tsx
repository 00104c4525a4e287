import type { ProxyConfig } from '@talpa/contracts';
import { proxyQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import {
  ConfirmDialog,
  SuspensionForm,
  useCloseGone,
  useLatest,
  useOpening,
  WhileThere,
} from '@talpa/panel-kit/form';
import { useQueryClient } from '@tanstack/react-query';
import { useProxyTexts } from './texts.ts';
import { TextWithHost } from './unbroken-host.tsx';
import { useKept } from './use-kept.ts';

interface Props {
  readonly proxy: ProxyConfig | null;
  readonly onClose: () => void;
}

/** Suspends a proxy with a reason, or changes the reason; for administrators. */
export function SuspendDialog({ proxy, onClose }: Props) {
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

/** Lifts a proxy's own suspension after a question; for administrators. */
export function LiftSuspensionDialog({ proxy, onClose }: Props) {
  const t = useProxyTexts();
  const toast = useToast();
  const kept = useKept(proxy);
  const client = useQueryClient();
  const { mutate, isPending } = useApiMutation('DELETE /api/admin/tunnel-configs/:id/suspension');
  const closeGone = useCloseGone(onClose);
  const closeLifted = () => {
    toast({ title: t('lift.alreadyDone'), tone: 'info' });
    onClose();
  };
  const lift = () =>
    kept &&
    mutate(
      { id: kept.id },
      {
        onSuccess: () => {
          void client.invalidateQueries(proxyQuery(kept.id));
          toast({
            title: t('lift.done'),
            text: t('lift.doneText', { name: kept.serverName }),
            tone: 'success',
          });
          onClose();
        },
        onError: ({ message }) => toast({ title: t('lift.failed'), text: message, tone: 'error' }),
      },
    );
  return (
    <ConfirmDialog
      open={proxy !== null}
      title={t('lift.title')}
      confirm={t('lift.confirm')}
      pending={isPending}
      onConfirm={() => lift()}
      onCancel={onClose}
    >
      {kept && (
        <TextWithHost
          text={t('lift.text', { name: kept.serverName, address: kept.cfDomain })}
          host={kept.cfDomain}
        />
      )}
      {proxy && !isPending && (
        <WhileThere
          key={proxy.id}
          record={proxy}
          query={proxyQuery(proxy.id)}
          onGone={closeGone}
          isDone={({ suspension }) => suspension?.of !== 'proxy'}
          onDone={closeLifted}
        />
      )}
    </ConfirmDialog>
  );
}
