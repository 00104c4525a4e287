import type { UseQueryResult } from '@tanstack/react-query';
import { Button } from 'antd';
import { SearchX } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ApiError } from '../core/api/api-error.ts';
import type { ListPage } from '../core/api/page.ts';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { EmptyState } from '../ui.ts';
import { type Layout, useLayout } from './layout.ts';
import styles from './list.module.css';
import { isSettled, PageFrame } from './page-frame.tsx';
import { useTotalText } from './pager.tsx';
import { Rows } from './row-list.tsx';
import type { RowShape, Selection } from './rows.ts';
import { type Choice, type Filter, SearchField, ToolbarSelect } from './toolbar.tsx';
import type { Changed } from './use-changed.ts';
import type { ListAddress } from './use-list.ts';

/** With fewer rows users see all of them at a glance: search and filters would be in the way. */
const worthSearching = 8;
const everything = '';

/** A list in pages: what narrows it, its rows, the pages, and every state it can be in. */
export function ListFrame<Row extends { readonly id: number }>(props: {
  readonly query: UseQueryResult<ListPage<Row>, ApiError>;
  readonly address: ListAddress;
  /** Left out where rows are not edited. */
  readonly changed?: Changed<Row>;
  readonly nameOf: (row: Row) => string;
  readonly search: string;
  readonly filters: readonly Filter[];
  /** Filters that are no choice of a few. */
  readonly moreFilters?: ReactNode;
  readonly orders: readonly Choice[];
  readonly loadFailed: string;
  readonly empty: ReactNode;
  readonly selection?: Selection<Row>;
  /** The actions for the chosen rows. */
  readonly bulk?: ReactNode;
  readonly shape: RowShape<Row>;
}) {
  const { query, address, selection, shape } = props;
  const changed = props.changed ?? {
    row: null,
    isHidden: false,
    rows: query.data?.rows ?? [],
    forget: () => {},
  };
  const frame = useRef<HTMLDivElement>(null);
  const layout = useLayout(frame, { shape, rows: changed.rows, selects: selection !== undefined });
  useSight(frame, changed.row?.id ?? null);
  const hasToolbar = useOnce(
    address.isNarrowed || address.sort !== null || (query.data?.total?.count ?? 0) >= worthSearching,
  );
  const order = { current: address.order, sortBy: address.sortBy };
  const rowsOf = ({ rows }: ListPage<Row>) => {
    if (rows.length === 0 && !changed.row)
      return address.isNarrowed ? <NothingFound onReset={address.reset} /> : props.empty;
    const changedId = changed.row?.id ?? null;
    const state = { order, changedId, isBusy: query.isPlaceholderData, selection };
    return <Rows shape={shape} rows={changed.rows} layout={layout} state={state} />;
  };
  return (
    <PageFrame
      ref={frame}
      query={query}
      address={address}
      loadFailed={props.loadFailed}
      head={
        <>
          {hasToolbar && <Toolbar {...props} orders={ordersBeside(layout, props)} />}
          {changed.row && (
            <ChangedNote
              name={props.nameOf(changed.row)}
              isHidden={changed.isHidden}
              onHide={changed.forget}
            />
          )}
        </>
      }
      foot={selection && <SelectionBar selection={selection}>{props.bulk}</SelectionBar>}
    >
      {rowsOf}
    </PageFrame>
  );
}

/** The orders to choose beside the rows: none where the headings of a table offer them all. */
function ordersBeside<Row>(
  layout: Layout | null,
  { orders, shape }: { readonly orders: readonly Choice[]; readonly shape: RowShape<Row> },
): readonly Choice[] {
  const sorts = shape.columns.flatMap(({ sort }) => (sort ? [sort, `-${sort}`] : []));
  return layout?.table && orders.every(({ value }) => sorts.includes(value)) ? [] : orders;
}

function Toolbar(props: {
  readonly address: ListAddress;
  readonly query: UseQueryResult<ListPage<unknown>, ApiError>;
  readonly search: string;
  readonly filters: readonly Filter[];
  readonly moreFilters?: ReactNode;
  readonly orders: readonly Choice[];
}) {
  const t = useKitTexts();
  const totalText = useTotalText();
  const { address, query } = props;
  const total = query.data?.total;
  return (
    <div className={styles.toolbar}>
      <search className={styles.controls}>
        <SearchField label={props.search} value={address.q} onSearch={address.search} />
        {props.filters.map(({ name, label, all, options }) => (
          <ToolbarSelect
            key={name}
            label={label}
            value={String(address.filters[name] ?? everything)}
            options={[{ value: everything, label: all }, ...options]}
            onChange={(value) => address.filter({ [name]: value === everything ? undefined : value })}
          />
        ))}
        {props.moreFilters}
        {props.orders.length > 0 && (
          <ToolbarSelect
            label={t('list.sort')}
            value={address.order}
            options={props.orders}
            onChange={address.sortBy}
          />
        )}
      </search>
      {/* Sighted users see the sentence below when there are no rows. */}
      <p className={total?.count === 0 ? styles.screenReaderOnly : styles.count} role="status">
        {isSettled(query) &&
          total &&
          t(address.isNarrowed ? 'list.found' : 'list.entries', { total: totalText(total) })}
      </p>
    </div>
  );
}

function NothingFound({ onReset }: { readonly onReset: () => void }) {
  const t = useKitTexts();
  return (
    <EmptyState
      icon={<SearchX size={22} aria-hidden />}
      title={t('list.none')}
      text={t('list.none.text')}
      action={<Button onClick={onReset}>{t('list.reset')}</Button>}
    />
  );
}

function ChangedNote(props: {
  readonly name: string;
  readonly isHidden: boolean;
  readonly onHide: () => void;
}) {
  const t = useKitTexts();
  return (
    <div className={props.isHidden ? styles.note : styles.screenReaderOnly}>
      <span role="status">
        {t(props.isHidden ? 'list.changed.hidden' : 'list.changed', { name: props.name })}
      </span>
      {props.isHidden && (
        <Button size="small" onClick={props.onHide}>
          {t('list.changed.hide')}
        </Button>
      )}
    </div>
  );
}

function SelectionBar<Row>(props: { readonly selection: Selection<Row>; readonly children: ReactNode }) {
  const t = useKitTexts();
  const { selection } = props;
  return (
    // Always there: what has begun goes on and is reported when its rows are gone.
    <section className={styles.bar} aria-label={t('list.actions')} hidden={selection.selected.length === 0}>
      <strong role="status">{t('list.selected', { selected: selection.selected.length })}</strong>
      <div className={styles.turns}>
        <Button onClick={() => selection.choose([])}>{t('list.unselect')}</Button>
        {props.children}
      </div>
    </section>
  );
}

/** True from the first time on: what one works with does not vanish under one's hands. */
function useOnce(now: boolean): boolean {
  const once = useRef(false);
  once.current ||= now;
  return once.current;
}

/** Brings a changed row into sight. */
function useSight(frame: React.RefObject<HTMLDivElement | null>, id: number | null): void {
  useEffect(() => {
    if (id !== null)
      frame.current?.querySelector(`[data-row-key="${id}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [frame, id]);
}
