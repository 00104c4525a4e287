import { Checkbox } from 'antd';
import { Fragment } from 'react';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import styles from './card-list.module.css';
import { RowActions } from './row-actions.tsx';
import { type Column, inGroups, type RowShape, type RowsState, type Selection } from './rows.ts';

/** The same rows where there is no room for a table, or for a finger: a card each. */
export function CardList<Row extends { readonly id: number }>(props: {
  readonly shape: RowShape<Row>;
  readonly rows: readonly Row[];
  readonly state?: RowsState<Row> | undefined;
}) {
  const { state, shape } = props;
  return (
    <>
      {state?.selection && <AllOnPage selection={state.selection} />}
      <ul className={styles.list} aria-label={shape.label} aria-busy={state?.isBusy ?? false}>
        {inGroups(props.rows, shape.grouping).map(({ id, rows }) => {
          const cards = rows.map((row) => <Card key={row.id} row={row} shape={shape} state={state} />);
          if (id === null) return cards;
          return (
            <li key={`group ${id}`} className={styles.group}>
              <div className={styles.groupHead}>
                {shape.grouping?.title(id)}
                {shape.grouping?.extra(id)}
              </div>
              <ul className={styles.list}>{cards}</ul>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Card<Row extends { readonly id: number }>(props: {
  readonly row: Row;
  readonly shape: RowShape<Row>;
  readonly state: RowsState<Row> | undefined;
}) {
  const { row, state, shape } = props;
  const part = (...parts: Column<Row>['onCard'][]) =>
    shape.columns.filter(({ onCard }) => parts.includes(onCard));
  return (
    <li
      className={`${styles.card} ${row.id === state?.changedId ? styles.changed : ''}`}
      data-row-key={row.id}
    >
      <div className={styles.head}>
        {state?.selection && <OneRow row={row} selection={state.selection} />}
        <div className={styles.name}>
          <strong className={styles.title}>
            {part('title').map(({ key, render }) => (
              <Fragment key={key}>{render(row, 'card')}</Fragment>
            ))}
          </strong>
          {part('extra').map(({ key, render }) => (
            <div key={key}>{render(row, 'card')}</div>
          ))}
        </div>
      </div>
      <dl className={styles.facts}>
        {part(undefined, 'only').map(({ key, title, render }) => (
          <div key={key} className={styles.fact}>
            <dt>{title}</dt>
            <dd>{render(row, 'card')}</dd>
          </div>
        ))}
      </dl>
      <RowActions actions={shape.actions(row)} place="card" />
    </li>
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
