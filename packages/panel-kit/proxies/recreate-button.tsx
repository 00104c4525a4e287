import type { Proxy as ProxyConfig, TunnelStatus } from '@talpa/contracts';
import { useState } from 'react';
import { Button } from '../ui.ts';
import { RecreateDialog } from './recreate-dialog.tsx';
import { useProxyTexts } from './texts.ts';

/** Opens the question whether a proxy's tunnel is to be replaced. */
export function RecreateButton(props: {
  readonly proxy: ProxyConfig;
  readonly onRecreated?: (status: TunnelStatus) => void;
}) {
  const t = useProxyTexts();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('recreate.button')}</Button>
      <RecreateDialog
        proxy={asking ? props.proxy : null}
        onClose={() => setAsking(false)}
        onRecreated={props.onRecreated}
      />
    </>
  );
}
