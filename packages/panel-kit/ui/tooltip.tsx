import { Tooltip as AntdTooltip, type TooltipProps } from 'antd';
import { type ComponentRef, useRef, useState } from 'react';

// Without a delay it would open and close while React draws: a dialog moves the focus then.
const delays = { focusDelay: 0.01, blurDelay: 0.01 };

/** A tooltip that the keyboard sees too. A focus that only came back after a click opens none. */
export function Tooltip(props: TooltipProps) {
  const tooltip = useRef<ComponentRef<typeof AntdTooltip>>(null);
  const [open, setOpen] = useState(false);
  const isMeant = () =>
    tooltip.current?.nativeElement.matches(':hover, :focus-visible, :has(:focus-visible)') ?? false;
  return (
    <AntdTooltip
      {...props}
      {...delays}
      ref={tooltip}
      trigger={['hover', 'focus']}
      open={open && props.title !== undefined}
      onOpenChange={(next) => setOpen(next && isMeant())}
    />
  );
}
