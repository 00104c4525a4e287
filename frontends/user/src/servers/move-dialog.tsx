import type { ProxyConfig } from '@talpa/contracts';
import { useKept } from '@talpa/panel-features/proxies';
import { proxyKey, proxyQuery, serversQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { Form, FormDialog, fields, Input, useFieldRules, useLatest, useOpening } from '@talpa/panel-kit/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isKnown } from './is-known.ts';
import { ownServer, ServerField, type ServerValues } from './server-field.tsx';
import { useServerTexts } from './texts.ts';

interface Props {
  /** @param isNew whether nothing is installed on the server yet */
  readonly onMoved: (proxy: ProxyConfig, isNew: boolean) => void;
  readonly onClose: () => void;
}

interface MoveValues extends ServerValues {
  /** Of a new server. */
  readonly name: string;
}

/** Moves a proxy to another server of its owner, or to a new one; open while there is one. */
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
  const { servers, withNew } = useServersToMoveTo(proxy);
  const { mutateAsync } = useApiMutation('PUT /api/tunnel-configs/:id/server');
  const move = async ({ serverId, name }: MoveValues) => {
    const isNew = serverId === ownServer;
    const moved = await mutateAsync({ id: proxy.id, ...(isNew ? { name } : { serverId }) });
    client.setQueryData(proxyQuery(proxy.id).queryKey, moved);
    void client.invalidateQueries({ queryKey: proxyKey(proxy.id) });
    const to = isNew ? name : (servers.find(({ id }) => id === serverId)?.name ?? '');
    toast({ title: t('move.done'), text: t('move.doneText', { name: to }), tone: 'success' });
    onClose();
    onMoved(moved, isNew);
  };
  return (
    <FormDialog<MoveValues>
      open={open}
      title={t('move.title', { name: proxy.serverName })}
      submit={t('move.submit')}
      failed={t('move.failed')}
      values={{ serverId: servers[0]?.id ?? ownServer, name: proxy.serverName }}
      asks={false}
      isGone={isGone}
      onRefused={() => void client.invalidateQueries(serversQuery)}
      onSubmit={move}
      onClose={onClose}
    >
      <ServerField servers={servers} moves withNew={withNew} />
      <NameField />
    </FormDialog>
  );
}

/** What a new server is to be called; nothing where another one is chosen. */
function NameField() {
  const t = useServerTexts();
  const rules = useFieldRules();
  const chosen = Form.useWatch('serverId', Form.useFormInstance<MoveValues>());
  if (chosen !== ownServer) return null;
  return (
    <Form.Item name="name" label={t('move.name')} rules={rules(fields.serverName)}>
      <Input autoComplete="off" />
    </Form.Item>
  );
}

/** The servers that a proxy can be moved to, none for others than its owner; and whether a new one would be more than its own again. */
function useServersToMoveTo(proxy: ProxyConfig) {
  const { data = [] } = useQuery(serversQuery);
  const own = data.filter(({ userId }) => userId === proxy.userId);
  return {
    servers: own.filter(({ id }) => id !== proxy.serverId),
    withNew: own.some((server) => server.id === proxy.serverId && isKnown(server)),
  };
}
