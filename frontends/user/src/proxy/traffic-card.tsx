import type { TrafficFigures, TrafficSum } from '@talpa/contracts';
import { formatBytes, formatCount, formatDate, proxyTrafficQuery, useLanguage } from '@talpa/panel-kit/core';
import { ErrorCard, Facts, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './proxy.module.css';
import { StaleNote } from './stale-note.tsx';

/** The edge stores its counts every few seconds; so often they are looked at, in ms. */
const lookMs = 30_000;

/** What went through a proxy. */
export function TrafficCard({ proxyId }: { readonly proxyId: number }) {
  const t = useUserTexts();
  const traffic = useQuery({ ...proxyTrafficQuery(proxyId), refetchInterval: lookMs });
  return (
    <Panel title={t('proxy.traffic')} extra={<StaleNote query={traffic} />}>
      {traffic.data?.figures && <Figures figures={traffic.data.figures} />}
      {traffic.data?.figures === null && <p className={styles.note}>{t('proxy.notAvailable')}</p>}
      {!traffic.data && traffic.isPending && <Skeleton active paragraph={{ rows: 6 }} />}
      {!traffic.data && traffic.isError && (
        <ErrorCard
          title={t('proxy.trafficFailed')}
          error={traffic.error}
          retry={() => void traffic.refetch()}
          retrying={traffic.isFetching}
        />
      )}
    </Panel>
  );
}

const bytesOf = ({ bytesIn, bytesOut }: TrafficSum) => bytesIn + bytesOut;

function Figures({ figures }: { readonly figures: TrafficFigures }) {
  const t = useUserTexts();
  const language = useLanguage();
  const requests = (sum: TrafficSum) =>
    t('proxy.traffic.requests', { count: formatCount(sum.requests, language) });
  const shown = [
    [t('proxy.traffic.today'), bytesOf(figures.today), requests(figures.today)],
    [t('proxy.traffic.yesterday'), bytesOf(figures.yesterday), requests(figures.yesterday)],
    [t('proxy.traffic.before'), bytesOf(figures.dayBeforeYesterday), requests(figures.dayBeforeYesterday)],
    [t('proxy.traffic.average'), figures.averageBytesADay, t('proxy.traffic.average.hint')],
  ] as const;
  return (
    <>
      <div className={styles.figures}>
        <Facts
          as="tiles"
          facts={shown.map(([label, bytes, note]) => [
            label,
            <Fragment key={label}>
              <span className={styles.figure}>{formatBytes(bytes, language)}</span>
              <span className={styles.figureNote}>{note}</span>
            </Fragment>,
          ])}
        />
      </div>
      <Days figures={figures} />
    </>
  );
}

function Days({ figures: { days } }: { readonly figures: TrafficFigures }) {
  const t = useUserTexts();
  const language = useLanguage();
  const most = Math.max(...days.map(bytesOf));
  const total = days.reduce((sum, day) => sum + bytesOf(day), 0);
  const day = (date: string) => formatDate(`${date}T12:00:00`, language) ?? date;
  if (total === 0) return <p className={styles.note}>{t('proxy.traffic.none')}</p>;
  return (
    <figure className={styles.chart}>
      <div
        className={`${styles.bars} ${styles.days}`}
        role="img"
        aria-label={t('proxy.traffic.alt', { total: formatBytes(total, language) })}
      >
        {days.map((one) => (
          <span
            key={one.date}
            data-some={bytesOf(one) > 0}
            style={{ height: `${(bytesOf(one) / most) * 100}%` }}
            title={`${day(one.date)}: ${formatBytes(bytesOf(one), language)}, ${t('proxy.traffic.requests', {
              count: formatCount(one.requests, language),
            })}`}
          />
        ))}
      </div>
      <figcaption className={styles.axis}>
        <span>{day(days[0]?.date ?? '')}</span>
        <span>{t('proxy.traffic.most', { most: formatBytes(most, language) })}</span>
        <span>{t('proxy.traffic.today')}</span>
      </figcaption>
    </figure>
  );
}
