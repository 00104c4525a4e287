import { Checkbox } from 'antd';
import type { ReactNode } from 'react';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import styles from './card-list.module.css';
import type { RowsState, Selection } from './rows.ts';

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
}

/** The same rows on a narrow screen: a card each. */
export function CardList<Row extends { readonly id: number }>(props: {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly title: (row: Row) => ReactNode;
  readonly extra?: (row: Row) => ReactNode;
  readonly facts: (row: Row) => readonly Fact[];
  readonly actions: (row: Row) => ReactNode;
  readonly state?: RowsState<Row> | undefined;
}) {
  const { state } = props;
  return (
    <>
      {state?.selection && <AllOnPage selection={state.selection} />}
      <ul className={styles.list} aria-label={props.label} aria-busy={state?.isBusy ?? false}>
        {props.rows.map((row) => (
          <li
            key={row.id}
            className={`${styles.card} ${row.id === state?.changedId ? styles.changed : ''}`}
            data-row-key={row.id}
          >
            <div className={styles.head}>
              {state?.selection && <OneRow row={row} selection={state.selection} />}
              <strong className={styles.title}>{props.title(row)}</strong>
              {props.extra?.(row)}
            </div>
            <dl className={styles.facts}>
              {props.facts(row).map((fact) => (
                <div key={fact.label} className={styles.fact}>
                  <dt>{fact.label}</dt>
                  <dd>{fact.value}</dd>
                </div>
              ))}
            </dl>
            <div className={styles.actions}>{props.actions(row)}</div>
          </li>
        ))}
      </ul>
    </>
  );
}

function AllOnPage<Row>({ selection }: { readonly selection: Selection<Row> }) {
  const t = useKitTexts();
  const { selected, selectable } = selection;
  const areAll = selectable.length > 0 && selected.length === selectable.length;
  return (
    <div className={styles.all}>
      <Checkbox
        checked={areAll}
        indeterminate={selected.length > 0 && !areAll}
        disabled={selectable.length === 0}
        onChange={() => selection.choose(areAll ? [] : selectable)}
      >
        {t('list.selectAll')}
      </Checkbox>
    </div>
  );
}

function OneRow<Row>({ row, selection }: { readonly row: Row; readonly selection: Selection<Row> }) {
  const t = useKitTexts();
  const { selected, selectable } = selection;
  return (
    <Checkbox
      aria-label={t('list.select', { name: selection.nameOf(row) })}
      checked={selected.includes(row)}
      disabled={!selectable.includes(row)}
      onChange={({ target }) =>
        selection.choose(target.checked ? [...selected, row] : selected.filter((one) => one !== row))
      }
    />
  );
}
