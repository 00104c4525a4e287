import type { ProxyConfig } from '@talpa/contracts';
import { useKept } from '@talpa/panel-features/proxies';
import { proxyKey, proxyQuery, serversQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { FormDialog, useLatest, useOpening } from '@talpa/panel-kit/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ServerField, type ServerValues } from './server-field.tsx';
import { useServerTexts } from './texts.ts';

interface Props {
  readonly onMoved?: ((proxy: ProxyConfig) => void) | undefined;
  readonly onClose: () => void;
}

/** Moves a proxy to another server of its owner; open while there is one. */
export function MoveDialog({ proxy, ...props }: Props & { readonly proxy: ProxyConfig | null }) {
  const kept = useKept(proxy);
  const opening = useOpening(proxy !== null);
  return kept && <MoveForm key={opening} open={proxy !== null} given={kept} {...props} />;
}

function MoveForm({
  open,
  given,
  onMoved,
  onClose,
}: Props & { readonly open: boolean; readonly given: ProxyConfig }) {
  const t = useServerTexts();
  const toast = useToast();
  const client = useQueryClient();
  const { record: proxy, isGone } = useLatest(given, proxyQuery(given.id), open);
  const servers = useServersToMoveTo(proxy);
  const { mutateAsync } = useApiMutation('PUT /api/tunnel-configs/:id/server');
  const move = async ({ serverId = 0 }: ServerValues) => {
    const moved = await mutateAsync({ id: proxy.id, serverId });
    client.setQueryData(proxyQuery(proxy.id).queryKey, moved);
    void client.invalidateQueries({ queryKey: proxyKey(proxy.id) });
    onMoved?.(moved);
    const name = servers.find(({ id }) => id === serverId)?.name ?? '';
    toast({ title: t('move.done'), text: t('move.doneText', { name }), tone: 'success' });
    onClose();
  };
  return (
    <FormDialog<ServerValues>
      open={open}
      title={t('move.title', { name: proxy.serverName })}
      submit={t('move.submit')}
      failed={t('move.failed')}
      values={{ serverId: servers[0]?.id ?? 0 }}
      asks={false}
      isGone={isGone}
      onRefused={() => void client.invalidateQueries(serversQuery)}
      onSubmit={move}
      onClose={onClose}
    >
      <ServerField servers={servers} withNew={false} />
    </FormDialog>
  );
}

/** The servers that a proxy can be moved to; none for others than its owner. */
function useServersToMoveTo(proxy: ProxyConfig) {
  const { data = [] } = useQuery(serversQuery);
  return data.filter(({ id, userId }) => id !== proxy.serverId && userId === proxy.userId);
}
