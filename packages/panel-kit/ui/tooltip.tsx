import { Tooltip as AntdTooltip, type TooltipProps } from 'antd';
import { type ComponentRef, useEffect, useRef, useState } from 'react';

// Without a delay it would open and close while React draws: a dialog moves the focus then.
const delays = { focusDelay: 0.01, blurDelay: 0.01 };

/** Before the hand rests, and without being drawn in: for what has no other name, where one looks for it. */
const immediately = { mouseEnterDelay: 0, mouseLeaveDelay: 0, motion: { motionName: '' } };

/**
 * A tooltip that the keyboard sees too. A focus that only came back after a click opens none, and what the mouse
 * has pressed needs none any more.
 */
export function Tooltip({ atOnce = false, ...props }: TooltipProps & { readonly atOnce?: boolean }) {
  const tooltip = useRef<ComponentRef<typeof AntdTooltip>>(null);
  const isPressed = useRef(false);
  const [open, setOpen] = useState(false);
  const isMeant = () =>
    !isPressed.current &&
    (tooltip.current?.nativeElement.matches(':hover, :focus-visible, :has(:focus-visible)') ?? false);
  useEffect(() => {
    const element = tooltip.current?.nativeElement;
    const press = ({ pointerType }: PointerEvent) => {
      // A finger has no other way to it.
      if (pointerType !== 'mouse') return;
      isPressed.current = true;
      setOpen(false);
    };
    const leave = () => {
      isPressed.current = false;
    };
    element?.addEventListener('pointerdown', press);
    element?.addEventListener('pointerleave', leave);
    return () => {
      element?.removeEventListener('pointerdown', press);
      element?.removeEventListener('pointerleave', leave);
    };
  });
  useEffect(() => {
    if (!open) return;
    // antd's own way asks the list of open layers that `useEscape` does not trust.
    const hide = ({ key }: KeyboardEvent) => key === 'Escape' && setOpen(false);
    window.addEventListener('keydown', hide);
    return () => window.removeEventListener('keydown', hide);
  }, [open]);
  return (
    <AntdTooltip
      {...props}
      {...delays}
      {...(atOnce ? immediately : {})}
      // It lies over what is beside it, and must not catch the pointer on its way there.
      styles={{ root: { pointerEvents: 'none' } }}
      ref={tooltip}
      trigger={['hover', 'focus']}
      open={open && props.title !== undefined}
      onOpenChange={(next) => setOpen(next && isMeant())}
    />
  );
}
