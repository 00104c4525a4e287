import { formatTime, useLanguage } from '@talpa/panel-kit/core';
import { useAuditTexts } from './texts.ts';

/** Rows that say the same as each other, the newest first. */
export type Repeated<Row> = readonly [Row, ...Row[]];

/**
 * Rows of a log, those together that repeat each other one after another.
 * @param said everything that is shown of a row but its time
 */
export function repeatedRows<Row>(
  rows: readonly Row[],
  said: (row: Row) => readonly unknown[],
): readonly Repeated<Row>[] {
  const groups: [Row, ...Row[]][] = [];
  const textOf = (row: Row) => JSON.stringify(said(row));
  for (const row of rows) {
    const last = groups.at(-1);
    if (last && textOf(last[0]) === textOf(row)) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** How often something was done, and when first; null for once. */
export function useRepeatedText(): (rows: Repeated<{ readonly at: string }>) => string | null {
  const t = useAuditTexts();
  const language = useLanguage();
  return (rows) => {
    const first = rows.at(-1);
    if (!first || rows.length === 1) return null;
    return t('repeated', { count: rows.length, time: formatTime(first.at, language) });
  };
}
