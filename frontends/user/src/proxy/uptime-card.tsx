import type { Uptime } from '@talpa/contracts';
import { Panel } from '@talpa/panel-kit/ui';
import { useUserTexts } from '../texts/user-texts.ts';
import { Moment } from './moment.tsx';
import styles from './proxy.module.css';
import { UptimeBars } from './uptime-bars.tsx';

/** How long the connector was connected, measured from its first connection on. */
export function UptimeCard({ uptime }: { readonly uptime: Uptime }) {
  const t = useUserTexts();
  const { firstConnectedAt, last24h, last7d, last90d } = uptime;
  if (firstConnectedAt === null)
    return (
      <Panel title={t('proxy.uptime')}>
        <p className={styles.note}>{t('proxy.uptime.never')}</p>
      </Panel>
    );
  const begin = last90d.bars[0]?.from ?? '';
  return (
    <Panel title={t('proxy.uptime')} footer={<Legend />}>
      <div className={styles.spans}>
        {firstConnectedAt > begin && (
          <p className={styles.note}>
            {t('proxy.uptime.since')} <Moment at={firstConnectedAt} />
          </p>
        )}
        <UptimeBars
          firstConnectedAt={firstConnectedAt}
          span={last24h}
          label={t('proxy.uptime.24h')}
          unit="hour"
        />
        <UptimeBars
          firstConnectedAt={firstConnectedAt}
          span={last7d}
          label={t('proxy.uptime.7d')}
          unit="weekday"
        />
        <UptimeBars
          firstConnectedAt={firstConnectedAt}
          span={last90d}
          label={t('proxy.uptime.90d')}
          unit="day"
        />
      </div>
    </Panel>
  );
}

/** What the bars' colors and heights mean. */
function Legend() {
  const t = useUserTexts();
  return (
    <ul className={styles.legend}>
      {(['up', 'partly', 'down', 'unknown'] as const).map((tone) => (
        <li key={tone}>
          <span className={styles.sample} aria-hidden>
            <span data-tone={tone} />
          </span>
          {t(`proxy.uptime.legend.${tone}`)}
        </li>
      ))}
    </ul>
  );
}
