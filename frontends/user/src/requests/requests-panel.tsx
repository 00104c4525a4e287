import type { LoggedRequest } from '@talpa/contracts';
import { requestMethods, requestReasons, statusClasses } from '@talpa/contracts/request-kinds';
import {
  type ApiError,
  formatCount,
  pageQuery,
  requestLogQuery,
  requestsKey,
  useLanguage,
  useToast,
} from '@talpa/panel-kit/core';
import { type ListAddress, ListFrame, oneOf, useListAddress } from '@talpa/panel-kit/table';
import { Alert, Button, EmptyState, ErrorCard, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Download, List } from 'lucide-react';
import { useState } from 'react';
import { saveAs } from '../settings/save-as.ts';
import { ModeDialog } from './mode-dialog.tsx';
import { RequestDialog } from './request-dialog.tsx';
import { nameOf, useRequestRows, withId } from './request-rows.tsx';
import styles from './requests.module.css';
import { useRequestTexts } from './texts.ts';
import { wholeCsv } from './whole-csv.ts';

/** Who reads a log is notified of new entries for a minute: so often it is read again, in ms. */
const readAgainMs = 30_000;
/** The choices of the filter by time, in ms. */
const spans = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 } as const;
const spanNames = ['hour', 'day', 'week'] as const;
/** A list that was filtered by time moves on once a minute. */
const spanStepMs = 60_000;
const reasonChoices = ['any', ...requestReasons] as const;
const options = {
  sorts: [],
  filters: {
    method: oneOf(requestMethods),
    status: oneOf(statusClasses),
    reason: oneOf(reasonChoices),
    since: oneOf(spanNames),
  },
} as const;

/** What visitors asked of a proxy, for those who may manage it. */
export function RequestsPanel({ proxyId }: { readonly proxyId: number }) {
  const t = useRequestTexts();
  const [isChanging, setChanging] = useState(false);
  const log = useQuery({ ...requestLogQuery(proxyId), refetchInterval: readAgainMs });
  const address = useListAddress(options);
  const { data } = log;
  const isShown = data !== undefined && !data.unavailable && data.mode !== 'off';
  return (
    <Panel
      title={t('title')}
      flush
      extra={
        <span className={styles.buttons}>
          {isShown && <CsvButton proxyId={proxyId} address={address} />}
          <Button disabled={!data || data.unavailable !== null} onClick={() => setChanging(true)}>
            {t('change')}
          </Button>
        </span>
      }
    >
      {log.isPending && <Skeleton active className={styles.text ?? ''} paragraph={{ rows: 3 }} />}
      {!data && log.isError && (
        <ErrorCard
          title={t('failed')}
          error={log.error}
          retry={() => void log.refetch()}
          retrying={log.isFetching}
        />
      )}
      {data && (
        <p className={styles.text}>
          {data.unavailable
            ? t(`unavailable.${data.unavailable}`)
            : `${t(`text.${data.mode}`, { days: data.days })}${data.mode === 'off' ? '' : ` ${t('text.privacy')}`}`}
        </p>
      )}
      {data && <Missed count={data.missed} />}
      {isShown && <Requests proxyId={proxyId} address={address} />}
      {data && (
        <ModeDialog open={isChanging} proxyId={proxyId} log={data} onClose={() => setChanging(false)} />
      )}
    </Panel>
  );
}

function Missed({ count }: { readonly count: number }) {
  const t = useRequestTexts();
  const language = useLanguage();
  if (count === 0) return null;
  return (
    <Alert
      className={styles.missed ?? ''}
      type="info"
      showIcon
      title={t('missed', { count: formatCount(count, language) })}
    />
  );
}

type Address = ListAddress<never, (typeof options)['filters']>;
/** The address says `q` where the route says `path`, and a span of time where it says from when on. */
const inputOf = (proxyId: number, { input: { q, since, ...rest } }: Address) => ({
  ...rest,
  id: proxyId,
  ...(q ? { path: q } : {}),
  ...(since ? { from: startOf(spans[since]) } : {}),
});
const startOf = (span: number) =>
  new Date(Math.floor(Date.now() / spanStepMs) * spanStepMs - span).toISOString();

function Requests({ proxyId, address }: { readonly proxyId: number; readonly address: Address }) {
  const t = useRequestTexts();
  const [shown, setShown] = useState<LoggedRequest | null>(null);
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({
    ...pageQuery('GET /api/tunnel-configs/:id/requests', inputOf(proxyId, address), {}, requestsKey(proxyId)),
    refetchInterval: readAgainMs,
    select: ({ rows, ...page }) => ({ ...page, rows: rows.map(withId) }),
  });
  const shape = useRequestRows((request) => {
    setShown(request);
    setOpen(true);
  });
  return (
    <>
      <ListFrame
        query={query}
        address={address}
        nameOf={nameOf}
        search={t('search')}
        filters={[
          {
            name: 'since',
            label: t('filter.since'),
            all: t('filter.since.all'),
            options: spanNames.map((value) => ({ value, label: t(`filter.since.${value}`) })),
          },
          {
            name: 'method',
            label: t('filter.method'),
            all: t('filter.method.all'),
            options: requestMethods.map((value) => ({
              value,
              label: value === 'OTHER' ? t('filter.method.OTHER') : value,
            })),
          },
          {
            name: 'status',
            label: t('filter.status'),
            all: t('filter.status.all'),
            options: statusClasses.map((value) => ({ value, label: value })),
          },
          {
            name: 'reason',
            label: t('filter.reason'),
            all: t('filter.reason.all'),
            options: reasonChoices.map((value) => ({
              value,
              label: value === 'any' ? t('filter.reason.any') : t(`reason.${value}`),
            })),
          },
        ]}
        orders={[]}
        loadFailed={t('loadFailed')}
        empty={<EmptyState icon={<List size={22} aria-hidden />} title={t('empty')} text={t('empty.text')} />}
        shape={shape}
      />
      {shown && (
        <RequestDialog open={isOpen} proxyId={proxyId} request={shown} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

/** Downloads what the filters leave, all pages of it. */
function CsvButton({ proxyId, address }: { readonly proxyId: number; readonly address: Address }) {
  const t = useRequestTexts();
  const toast = useToast();
  const { mutate, isPending } = useMutation<void, ApiError>({
    mutationFn: async () => {
      const { cursor: _first, ...input } = inputOf(proxyId, address);
      saveAs(
        `talpa-${proxyId}.csv`,
        await wholeCsv('GET /api/tunnel-configs/:id/requests.csv', input),
        'text/csv',
      );
    },
    onError: ({ message }) => toast({ title: t('csv.failed'), text: message, tone: 'error' }),
  });
  return (
    <Button loading={isPending} icon={<Download size={15} aria-hidden />} onClick={() => mutate()}>
      {t('csv')}
    </Button>
  );
}
