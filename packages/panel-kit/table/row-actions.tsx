import { Button } from 'antd';
import { IconButton } from '../ui.ts';
import styles from './row-actions.module.css';
import type { Place, RowAction } from './rows.ts';

/** The buttons of a row: icons in a table, icons with words below them on a card. */
export function RowActions(props: { readonly actions: readonly RowAction[]; readonly place: Place }) {
  return (
    <div className={styles[props.place]} data-actions>
      {props.actions.map(({ key, short, ...action }) =>
        props.place === 'table' ? (
          <IconButton
            key={key}
            label={action.name}
            tip={action.why ?? action.text}
            icon={<action.Icon size={16} aria-hidden />}
            onClick={action.onClick}
            danger={action.danger ?? false}
            disabled={action.disabled ?? false}
          />
        ) : (
          <LabelledButton key={key} {...action} text={short ?? action.text} />
        ),
      )}
    </div>
  );
}

function LabelledButton({
  Icon,
  text,
  name,
  why,
  danger = false,
  ...rest
}: Omit<RowAction, 'key' | 'short'>) {
  return (
    <Button
      type="text"
      className={styles.labelled ?? ''}
      aria-label={name}
      title={why}
      icon={<Icon size={18} aria-hidden />}
      danger={danger}
      {...rest}
    >
      {text}
    </Button>
  );
}
