import type { ApiKey } from '@talpa/contracts';
import { adminApiKeysQuery, formatDate, formatMoment } from '@talpa/panel-kit/core';
import { Awaited, ErrorCard, Facts, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useAdminTexts } from '../texts/admin-texts.ts';

/** A user's API keys: what scripts may do in their name. It is not there while they have none. */
export function UserApiKeys({ userId }: { readonly userId: number }) {
  const t = useAdminTexts();
  const { data, error, refetch, isFetching, isLoading } = useQuery(adminApiKeysQuery(userId));
  if (isLoading) return <Awaited />;
  if (data?.length === 0 || (!data && !error)) return null;
  return (
    <Panel title={t('user.apiKeys')}>
      {error && (
        <ErrorCard
          title={t('user.apiKeys.failed')}
          error={error}
          retry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {data && (
        <Facts as="table" facts={data.map((key) => [key.name, <About key={key.id} apiKey={key} />])} />
      )}
    </Panel>
  );
}

function About({ apiKey }: { readonly apiKey: ApiKey }) {
  const t = useAdminTexts();
  const { scopes, proxyIds, networks, expiresAt, lastUsedAt, lastUsedAddress } = apiKey;
  const end =
    expiresAt === null
      ? t('user.apiKey.endless')
      : t('user.apiKey.until', { date: formatDate(expiresAt, 'de') ?? '' });
  const used =
    lastUsedAt === null
      ? t('user.apiKey.unused')
      : t('user.apiKey.used', {
          time: formatMoment(lastUsedAt, 'de') ?? '',
          address: lastUsedAddress ?? '',
        });
  return (
    <>
      {scopes.join(', ')}
      <br />
      {[
        end,
        used,
        ...(proxyIds ? [t('user.apiKey.proxies', { count: proxyIds.length })] : []),
        ...(networks.length > 0 ? [t('user.apiKey.networks', { networks: networks.join(', ') })] : []),
      ].join(' · ')}
    </>
  );
}
