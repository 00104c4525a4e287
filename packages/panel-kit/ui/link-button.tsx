import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useHref, useLinkClickHandler } from 'react-router-dom';

/** A link to another page of the panel that is the primary action where it stands. */
export function LinkButton({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  const href = useHref(to);
  const follow = useLinkClickHandler<HTMLElement>(to);
  return (
    <Button type="primary" href={href} onClick={follow}>
      {children}
    </Button>
  );
}
