import type { ProxyConfig } from '@talpa/contracts';
import { Dialog, useOpening } from '@talpa/panel-kit/form';
import type { ReactNode } from 'react';
import { useProxyTexts } from './texts.ts';
import { useKept } from './use-kept.ts';

/** A dialog that shows something about a proxy; open while there is one. */
export function ProxyModal(props: {
  readonly proxy: ProxyConfig | null;
  readonly title: (name: string) => string;
  readonly width: number;
  readonly onClose: () => void;
  readonly afterClose?: () => void;
  readonly children: (proxy: ProxyConfig) => ReactNode;
}) {
  const t = useProxyTexts();
  const kept = useKept(props.proxy);
  const opening = useOpening(props.proxy !== null);
  return (
    <Dialog
      key={opening}
      open={props.proxy !== null}
      title={props.title(kept?.serverName ?? '')}
      footer={null}
      onCancel={props.onClose}
      closable={{ 'aria-label': t('check.close') }}
      {...(props.afterClose ? { afterClose: props.afterClose } : {})}
      destroyOnHidden
      width={props.width}
    >
      {kept && props.children(kept)}
    </Dialog>
  );
}
