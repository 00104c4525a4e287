import type { EnrolmentKey } from '@talpa/contracts';
import {
  enrolmentKeysQuery,
  formatTime,
  serversQuery,
  useApiMutation,
  useLanguage,
} from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { Button, type Fact, ItemRow, ItemsPanel, Tag } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { SquareTerminal } from 'lucide-react';
import { useReachableProxies } from '../api-keys/use-reachable-proxies.ts';
import { useServerTexts } from './texts.ts';

/** The commands with which machines can still connect themselves, and those that have. */
export function EnrolmentKeysPanel() {
  const t = useServerTexts();
  const query = useQuery(enrolmentKeysQuery);
  const revocation = useConfirm(
    useApiMutation('DELETE /api/enrolment-keys/:id'),
    ({ id, name }: EnrolmentKey) => ({
      title: t('keys.revoke.title'),
      text: t('keys.revoke.text', { name }),
      confirm: t('keys.revoke.submit'),
      input: { id },
      done: { title: t('keys.revoke.done'), text: name },
      failed: t('keys.revoke.failed'),
    }),
  );
  return (
    <ItemsPanel
      title={t('keys')}
      text={t('keys.text')}
      query={query}
      failed={t('keys.failed')}
      empty={t('keys.empty')}
      row={(key) => <KeyRow key={key.id} enrolmentKey={key} onRevoke={() => revocation.ask(key)} />}
    >
      {revocation.dialog}
    </ItemsPanel>
  );
}

function KeyRow(props: { readonly enrolmentKey: EnrolmentKey; readonly onRevoke: () => void }) {
  const t = useServerTexts();
  const language = useLanguage();
  const { own, shared } = useReachableProxies();
  const { data: servers } = useQuery(serversQuery);
  const { id, name, proxyId, serverId, expiresAt, uses, used } = props.enrolmentKey;
  const server = servers?.find((one) => one.id === serverId);
  const proxy = [...own, ...shared].find((one) => one.id === proxyId);
  const aboutProxy = proxy
    ? t('keys.forProxy', { name: proxy.serverName })
    : t('keys.forGone', { id: proxyId ?? 0 });
  const about = serverId === null ? aboutProxy : t('keys.forServer', { name: server?.name ?? serverId });
  const facts: readonly Fact[] = [
    [t('keys.for'), proxyId === null && serverId === null ? t('keys.forNew') : about],
    [t('keys.expires'), formatTime(expiresAt, language)],
    [t('keys.used'), t('keys.usedOf', { used, uses })],
  ];
  return (
    <ItemRow
      id={id}
      icon={<SquareTerminal size={19} aria-hidden />}
      head={
        <>
          <strong>{name}</strong>
          {used >= uses && <Tag>{t('keys.usedUp')}</Tag>}
        </>
      }
      facts={facts}
      actions={
        <Button size="small" aria-label={t('keys.revoke.of', { name })} onClick={props.onRevoke}>
          {t('keys.revoke')}
        </Button>
      }
    />
  );
}
