import { Button } from 'antd';
import type { ReactNode } from 'react';
import styles from './icon-button.module.css';
import { Tooltip } from './tooltip.tsx';

/** A button of an icon alone, named by its label. The tooltip says the same, or less where the rest is visible. */
export function IconButton(props: {
  readonly label: string;
  readonly tip?: string;
  /** For screen readers: what the tooltip adds to the label. */
  readonly description?: string | undefined;
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
        aria-description={props.description}
        icon={props.icon}
        onClick={props.onClick}
        danger={props.danger ?? false}
        disabled={props.disabled ?? false}
        loading={props.loading ?? false}
      />
    </Tooltip>
  );
}
