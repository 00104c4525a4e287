import type { UptimeBar, UptimeSpan } from '@talpa/contracts';
import {
  formatClock,
  formatDate,
  formatShare,
  formatTime,
  formatWeekday,
  useLanguage,
} from '@talpa/panel-kit/core';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './proxy.module.css';
import { noonOf, shareOf, toneOf } from './uptime.ts';

interface Props {
  readonly span: UptimeSpan;
  readonly label: string;
  /** What a bar stands for. In a week each day's share is written below its bar. */
  readonly unit: 'hour' | 'weekday' | 'day';
  /** Before the first connection there is no uptime. */
  readonly firstConnectedAt: string;
}

/** A span of time as bars: how much of each the connector was connected. The newest values are written out. */
export function UptimeBars({ span: { share, bars }, label, unit, firstConnectedAt }: Props) {
  const t = useUserTexts();
  const language = useLanguage();
  const words = (part: number | null) =>
    part === null ? t('proxy.uptime.unknown') : formatShare(part, language);
  const when = (bar: UptimeBar) =>
    unit === 'hour' ? formatTime(bar.from, language) : formatDate(noonOf(bar), language);
  const what = (bar: UptimeBar) =>
    toneOf(bar, firstConnectedAt) === 'before' ? t('proxy.uptime.before') : words(shareOf(bar));
  return (
    <div>
      <div className={styles.spanHead}>
        <span>{label}</span>
        <strong className={styles.share}>{words(share)}</strong>
      </div>
      <div
        className={styles.bars}
        data-many={bars.length > 60}
        role="img"
        aria-label={t('proxy.uptime.alt', { span: label, share: words(share) })}
      >
        {bars.map((bar) => (
          <span
            key={bar.from}
            data-tone={toneOf(bar, firstConnectedAt)}
            title={`${when(bar)}: ${what(bar)}`}
          />
        ))}
      </div>
      {unit === 'weekday' ? <Days bars={bars} /> : <Ends bars={bars} unit={unit} words={words} />}
    </div>
  );
}

/** Where the bars begin, and the value of the last one. */
function Ends(props: {
  readonly bars: readonly UptimeBar[];
  readonly unit: 'hour' | 'day';
  readonly words: (share: number | null) => string;
}) {
  const t = useUserTexts();
  const language = useLanguage();
  const [first, last] = [props.bars[0], props.bars.at(-1)];
  if (!first || !last) return null;
  const time = formatClock(first.from, language);
  const isToday = new Date(first.from).toDateString() === new Date().toDateString();
  const hour = isToday ? time : t('proxy.uptime.yesterday', { time });
  return (
    <div className={styles.axis}>
      <span>{props.unit === 'hour' ? hour : formatDate(noonOf(first), language)}</span>
      <span>{t(`proxy.uptime.last.${props.unit}`, { share: props.words(shareOf(last)) })}</span>
    </div>
  );
}

/** Below each bar its day and its share. */
function Days({ bars }: { readonly bars: readonly UptimeBar[] }) {
  const language = useLanguage();
  return (
    <ol className={styles.weekdays}>
      {bars.map((bar) => {
        const share = shareOf(bar);
        return (
          <li key={bar.from}>
            <span>{formatWeekday(noonOf(bar), language)}</span>
            <strong>{share === null ? '–' : formatShare(share, language, 1)}</strong>
          </li>
        );
      })}
    </ol>
  );
}
