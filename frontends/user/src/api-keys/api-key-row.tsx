import type { ApiKey } from '@talpa/contracts';
import { formatDate, formatTime, useLanguage, useNow } from '@talpa/panel-kit/core';
import { Button, type Fact, ItemRow, Tag } from '@talpa/panel-kit/ui';
import { KeySquare } from 'lucide-react';
import { useApiKeyTexts } from './texts.ts';
import { useReachableProxies } from './use-reachable-proxies.ts';

/** One key: what it may do, how long, and when it was used. */
export function ApiKeyRow({ apiKey, onRevoke }: { readonly apiKey: ApiKey; readonly onRevoke: () => void }) {
  const t = useApiKeyTexts();
  const language = useLanguage();
  const now = useNow();
  const { id, name, scopes, proxyIds, networks, expiresAt, lastUsedAt, lastUsedAddress } = apiKey;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now;
  const used = lastUsedAt && { time: formatTime(lastUsedAt, language), address: lastUsedAddress ?? '' };
  const facts: readonly Fact[] = [
    [t('scopes'), scopes.join(', ')],
    ...(proxyIds ? [[t('proxies'), <Proxies key="proxies" ids={proxyIds} />] as const] : []),
    ...(networks.length > 0 ? [[t('networks'), networks.join(', ')] as const] : []),
    [t('expires'), expiresAt === null ? t('expires.never') : formatDate(expiresAt, language)],
    [t('lastUsed'), used ? t('lastUsed.from', used) : t('lastUsed.never')],
  ];
  return (
    <ItemRow
      id={id}
      icon={<KeySquare size={19} aria-hidden />}
      head={
        <>
          <strong>{name}</strong>
          {isExpired && <Tag color="warning">{t('expired')}</Tag>}
        </>
      }
      facts={facts}
      actions={
        <Button size="small" aria-label={t('revoke.of', { name })} onClick={onRevoke}>
          {t('revoke')}
        </Button>
      }
    />
  );
}

/** The proxies' names; one that is deleted, or no longer shared, has only its number. */
function Proxies({ ids }: { readonly ids: readonly number[] }) {
  const t = useApiKeyTexts();
  const { own, shared } = useReachableProxies();
  const names = new Map([...own, ...shared].map(({ id, serverName }) => [id, serverName]));
  return ids.map((id) => names.get(id) ?? t('proxies.gone', { id })).join(', ');
}
