import { Button } from 'antd';
import { useId } from 'react';
import { IconButton } from '../ui.ts';
import styles from './row-actions.module.css';
import { MenuButton } from './row-menu.tsx';
import type { Place, RowAction, RowMenu } from './rows.ts';

/** The buttons of a row: icons in a table, icons with words below them on a card. */
export function RowActions(props: Props & { readonly place: Place }) {
  return props.place === 'table' ? <Icons {...props} /> : <Labelled {...props} />;
}

interface Props {
  readonly actions: readonly (RowAction | RowMenu)[];
}

function Icons({ actions }: Props) {
  return (
    <div className={styles.table} data-actions>
      {actions.map((action) =>
        'menu' in action ? (
          <MenuButton key={action.key} action={action} />
        ) : (
          <IconButton
            key={action.key}
            label={action.name}
            tip={action.why ?? action.text}
            description={action.why}
            icon={<action.Icon size={16} aria-hidden />}
            onClick={action.onClick}
            danger={action.danger ?? false}
            disabled={action.disabled ?? false}
          />
        ),
      )}
    </div>
  );
}

/** A finger can rest on nothing: why some are disabled stands below them. */
function Labelled({ actions }: Props) {
  const id = useId();
  const reasons = [...new Set(actions.flatMap((action) => ('menu' in action ? [] : (action.why ?? []))))];
  return (
    <>
      <div className={styles.card} data-actions>
        {actions.map((action) => {
          if ('menu' in action)
            return <MenuButton key={action.key} action={action} className={styles.labelled} />;
          const { key, text, short, name, why, Icon, ...rest } = action;
          return (
            <Button
              key={key}
              type="text"
              className={styles.labelled ?? ''}
              aria-label={name}
              aria-describedby={why && `${id}${reasons.indexOf(why)}`}
              icon={<Icon size={18} aria-hidden />}
              {...rest}
            >
              {short ?? text}
            </Button>
          );
        })}
      </div>
      {reasons.map((why, index) => (
        <p key={why} id={`${id}${index}`} className={styles.why}>
          {why}
        </p>
      ))}
    </>
  );
}
