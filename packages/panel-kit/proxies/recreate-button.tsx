import type { Proxy as ProxyConfig, TunnelStatus } from '@talpa/contracts';
import { useState } from 'react';
import { Button } from '../ui.ts';
import { RecreateDialog } from './recreate-dialog.tsx';
import { useProxyTexts } from './texts.ts';

/** The button that opens the dialog. */
export function RecreateButton(props: {
  readonly proxy: ProxyConfig;
  readonly onRecreated?: (status: TunnelStatus) => void;
  readonly onInstall?: ((proxy: ProxyConfig) => void) | undefined;
}) {
  const t = useProxyTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('recreate.button')}</Button>
      <RecreateDialog
        proxy={isOpen ? props.proxy : null}
        onClose={() => setOpen(false)}
        onRecreated={props.onRecreated}
        onInstall={props.onInstall}
      />
    </>
  );
}
