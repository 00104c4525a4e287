import { Button } from 'antd';
import type { ReactNode } from 'react';
import styles from './icon-button.module.css';
import { Tooltip } from './tooltip.tsx';

/** A button of an icon alone, named by its label. The tooltip says the same, or less where one sees the rest. */
export function IconButton(props: {
  readonly label: string;
  readonly tip?: string;
  readonly icon: ReactNode;
  readonly onClick: () => void;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly loading?: boolean;
}) {
  return (
    <Tooltip title={props.tip ?? props.label}>
      <Button
        type="text"
        className={styles.button ?? ''}
        aria-label={props.label}
        icon={props.icon}
        onClick={props.onClick}
        danger={props.danger ?? false}
        disabled={props.disabled ?? false}
        loading={props.loading ?? false}
      />
    </Tooltip>
  );
}
