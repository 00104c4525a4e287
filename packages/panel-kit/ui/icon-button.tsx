import { Button, Tooltip } from 'antd';
import type { ReactNode } from 'react';

/** A button of an icon alone, named by its label and tooltip. */
export function IconButton(props: {
  readonly label: string;
  readonly icon: ReactNode;
  readonly onClick: () => void;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly loading?: boolean;
}) {
  return (
    <Tooltip title={props.label}>
      <Button
        type="text"
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
