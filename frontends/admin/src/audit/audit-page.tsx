import { useHeadOf } from '@talpa/panel-kit/core';
import { PageFrame, useListAddress } from '@talpa/panel-kit/table';
import { Button, EmptyState, Page, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw, ScrollText } from 'lucide-react';
import { pages } from '../pages.ts';
import { AuditList } from './audit-list.tsx';
import { auditOptions, requestOf } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { auditQuery } from './query.ts';
import { useAuditPageTexts } from './texts.ts';

/** Who did what, when and from where; the filter and the page stand in the address. */
export function AuditPage() {
  const t = useAuditPageTexts();
  const head = useHeadOf(pages.audit);
  const address = useListAddress(auditOptions);
  const { isNarrowed, reset } = address;
  const audit = useQuery(auditQuery(requestOf(address.input)));
  return (
    <Page
      {...head}
      actions={
        <>
          {isNarrowed && <Button onClick={reset}>{t('filter.reset')}</Button>}
          <Button
            icon={<RefreshCw size={15} aria-hidden />}
            loading={audit.isRefetching}
            onClick={() => void audit.refetch()}
          >
            {t('refresh')}
          </Button>
        </>
      }
    >
      <FilterBar address={address} />
      <Panel label={t('list')} flush>
        <PageFrame query={audit} address={address} loadFailed={t('loadFailed')}>
          {({ rows }) =>
            rows.length > 0 ? (
              <AuditList label={t('list')} rows={rows} isBusy={audit.isPlaceholderData} />
            ) : (
              <EmptyState
                icon={<ScrollText size={22} aria-hidden />}
                title={t(isNarrowed ? 'noneFound' : 'empty')}
                text={t(isNarrowed ? 'noneFound.text' : 'empty.text')}
              />
            )
          }
        </PageFrame>
      </Panel>
    </Page>
  );
}
