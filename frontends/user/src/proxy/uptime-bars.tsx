import type { UptimeBar, UptimeSpan } from '@talpa/contracts';
import { formatDate, formatShare, formatTime, useLanguage } from '@talpa/panel-kit/core';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './proxy.module.css';

const height = 32;
const step = 10;
/** Drawn as wide as the page: gaps look the same, however many bars there are. */
const gapOf = (count: number) => count / 30;

/** A span of time as bars: how much of each visitors got through. */
export function UptimeBars(props: {
  readonly span: UptimeSpan;
  readonly label: string;
  readonly byHours?: boolean;
}) {
  const t = useUserTexts();
  const language = useLanguage();
  const { share, bars } = props.span;
  const gap = gapOf(bars.length);
  const shareText = share === null ? t('proxy.uptime.unknown') : formatShare(share, language);
  const when = ({ from }: UptimeBar) =>
    props.byHours ? formatTime(from, language) : (formatDate(from, language) ?? from);
  const what = (bar: UptimeBar) => {
    const known = bar.up + bar.down;
    return known > 0 ? formatShare(bar.up / known, language) : t('proxy.uptime.unknown');
  };
  return (
    <div>
      <div className={styles.spanHead}>
        <span>{props.label}</span>
        <strong className={styles.share}>{shareText}</strong>
      </div>
      <svg
        className={styles.bars}
        viewBox={`0 0 ${bars.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('proxy.uptime.alt', { span: props.label, share: shareText })}
      >
        {bars.map((bar, index) => (
          <rect
            key={bar.from}
            className={styles[toneOf(bar)]}
            x={index * step + gap / 2}
            width={step - gap}
            height={height}
          >
            <title>{`${when(bar)}: ${what(bar)}`}</title>
          </rect>
        ))}
      </svg>
    </div>
  );
}

function toneOf({ up, down }: UptimeBar): 'unknown' | 'up' | 'partly' | 'down' {
  if (up + down === 0) return 'unknown';
  if (down === 0) return 'up';
  return up === 0 ? 'down' : 'partly';
}
