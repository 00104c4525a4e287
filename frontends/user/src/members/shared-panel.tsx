import type { ProxyConfig } from '@talpa/contracts';
import { roleTexts } from '@talpa/contracts/role-texts';
import { roleOf } from '@talpa/contracts/roles';
import { ProxyAddress, ProxyStatus } from '@talpa/panel-features/proxy-status';
import { formatTime, sharedProxiesQuery, useLanguage } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { LongText } from '@talpa/panel-kit/table';
import { Awaited, type Fact, ItemRow, ItemsPanel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Cable } from 'lucide-react';
import { proxyPath } from '../proxy-path.ts';
import { useEnded } from './ended.tsx';
import { useMemberTexts } from './texts.ts';

/** The proxies that the user is a member of; nothing while there is none. */
export function SharedPanel() {
  const t = useMemberTexts();
  const query = useQuery(sharedProxiesQuery);
  useEnded(query.data);
  if (query.isLoading) return <Awaited />;
  if (query.isPending || query.data?.length === 0) return null;
  return (
    <ItemsPanel
      title={t('shared.title')}
      text={t('shared.text')}
      query={query}
      failed={t('shared.failed')}
      row={(proxy) => <SharedRow key={proxy.id} proxy={proxy} />}
    />
  );
}

function SharedRow({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useMemberTexts();
  const language = useLanguage();
  const until = proxy.membership?.until;
  const facts: readonly Fact[] = [
    [t('shared.owner'), proxy.ownerName ?? t('shared.ownerUnknown')],
    [t('shared.role'), roleTexts[roleOf(proxy)][language]],
    [t('until'), until && formatTime(until, language)],
    [t('shared.address'), <ProxyAddress key="address" proxy={proxy} />],
  ];
  return (
    <ItemRow
      id={proxy.id}
      icon={<Cable size={19} aria-hidden />}
      head={
        <>
          <strong>
            <Link to={proxyPath(proxy.id)}>
              <LongText text={proxy.serverName} />
            </Link>
          </strong>
          <ProxyStatus proxy={proxy} />
        </>
      }
      facts={facts}
    />
  );
}
