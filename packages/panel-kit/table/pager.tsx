import { Button } from 'antd';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { Total } from '../core/api/page.ts';
import { formatCount } from '../core/format.ts';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { useLanguage } from '../core/texts/language.ts';
import styles from './list.module.css';
import { type ListAddress, pageSize } from './use-list.ts';

/** How many rows there are, as a text: “112”, „mehr als 1.000“. */
export function useTotalText(): (total: Total) => string {
  const t = useKitTexts();
  const language = useLanguage();
  return ({ count, isMore }) => {
    const text = formatCount(count, language);
    return isMore ? t('list.moreThan', { count: text }) : text;
  };
}

/** The way to the next page and back. */
export function Pager(props: {
  readonly address: Pick<ListAddress, 'pageNumber' | 'cursor' | 'next' | 'previous'>;
  readonly next: string | null;
  readonly total: Total | null;
  readonly shown: number;
  /** After a turn, before its rows are there. */
  readonly onTurn: () => void;
}) {
  const t = useKitTexts();
  const language = useLanguage();
  const totalText = useTotalText();
  const { address, next, total } = props;
  const turn = (go: () => void) => () => {
    props.onTurn();
    go();
  };
  const from = address.pageNumber === null ? null : (address.pageNumber - 1) * pageSize + 1;
  return (
    <nav className={styles.pager} aria-label={t('list.pages')}>
      <span>
        {total &&
          (from === null
            ? t('list.entries', { total: totalText(total) })
            : t('list.range', {
                from: formatCount(from, language),
                to: formatCount(from + props.shown - 1, language),
                total: totalText(total),
              }))}
      </span>
      <div className={styles.turns}>
        <Button
          icon={<ChevronLeft size={16} aria-hidden />}
          disabled={address.cursor === null}
          onClick={turn(() => address.previous())}
        >
          {t(address.pageNumber === null ? 'list.first' : 'list.previous')}
        </Button>
        <Button disabled={next === null} onClick={turn(() => next && address.next(next))}>
          {t('list.next')}
          <ChevronRight size={16} aria-hidden />
        </Button>
      </div>
    </nav>
  );
}
