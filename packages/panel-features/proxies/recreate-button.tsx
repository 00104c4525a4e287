import type { ProxyConfig, TunnelStatus } from '@talpa/contracts';
import { useState } from 'react';
import { ProxyActionButton } from './actions.tsx';
import { RecreateDialog } from './recreate-dialog.tsx';

/** The button that opens the dialog. */
export function RecreateButton(props: {
  readonly proxy: ProxyConfig;
  /** It is what is to be done next. */
  readonly isNext?: boolean;
  readonly onRecreated?: (status: TunnelStatus) => void;
  readonly onInstall?: ((proxy: ProxyConfig) => void) | undefined;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ProxyActionButton
        proxy={props.proxy}
        action="recreate"
        {...(props.isNext ? { type: 'primary' } : {})}
        onClick={() => setOpen(true)}
      />
      <RecreateDialog
        proxy={isOpen ? props.proxy : null}
        onClose={() => setOpen(false)}
        onRecreated={props.onRecreated}
        onInstall={props.onInstall}
      />
    </>
  );
}
