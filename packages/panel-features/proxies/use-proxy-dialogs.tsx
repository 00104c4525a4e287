import type { ProxyConfig } from '@talpa/contracts';
import { type ReactNode, useState } from 'react';
import type { ProxyAction } from './action-roles.ts';
import { EditDialog } from './edit-dialog.tsx';
import { InstallDialog, PauseDialog } from './lazy-dialogs.tsx';
import { RecreateDialog } from './recreate-dialog.tsx';
import { StatusDialog } from './status-dialog.tsx';
import { SuspendDialog } from './suspend-dialog.tsx';
import { useDeleteProxy, useLiftSuspension, useResumeProxy } from './use-confirm-proxy.tsx';

interface Options {
  readonly onSaved?: ((proxy: ProxyConfig) => void) | undefined;
  /** A proxy is being deleted. */
  readonly onDelete?: (() => void) | undefined;
  /** A proxy's panel has a second port, for which another one is to be created; left out: none may be. */
  readonly onAddSecond?: ((proxy: ProxyConfig) => void) | undefined;
  readonly onClosed?: ((proxy: ProxyConfig) => void) | undefined;
}

/** The dialogs of all that can be done with a proxy. @param proxies what is shown now: an open dialog keeps up with it */
export function useProxyDialogs(
  proxies: readonly ProxyConfig[] | undefined,
  options: Options = {},
): {
  readonly open: (action: ProxyAction, proxy: ProxyConfig) => void;
  /** Closes what is open, but for a question. */
  readonly close: () => void;
  readonly isOpen: boolean;
  readonly dialogs: ReactNode;
} {
  const [asked, setAsked] = useState<{ readonly action: ProxyAction; readonly proxy: ProxyConfig } | null>(
    null,
  );
  const latestOf = (proxy: ProxyConfig) => proxies?.find(({ id }) => id === proxy.id) ?? proxy;
  const onClose = (proxy: ProxyConfig) => options.onClosed?.(proxy);
  const deletion = useDeleteProxy({ latestOf, onClose, onStart: options.onDelete });
  const lifting = useLiftSuspension({ latestOf, onClose });
  const resuming = useResumeProxy({ latestOf, onClose });
  const open = (action: ProxyAction, proxy: ProxyConfig) => {
    if (action === 'delete') deletion.ask(proxy);
    else if (action === 'lift') lifting.ask(proxy);
    else if (action === 'resume') resuming.ask(proxy);
    else setAsked({ action, proxy });
  };
  const close = () => {
    setAsked(null);
    if (asked) onClose(asked.proxy);
  };
  const about = (action: ProxyAction) => (asked?.action === action ? latestOf(asked.proxy) : null);
  const install = (proxy: ProxyConfig) => open('install', proxy);
  return {
    open,
    close,
    isOpen: [asked, deletion.asked, lifting.asked, resuming.asked].some((one) => one !== null),
    dialogs: (
      <>
        <InstallDialog
          proxy={about('install')}
          onClose={close}
          onAddSecond={
            options.onAddSecond &&
            ((proxy) => {
              close();
              options.onAddSecond?.(proxy);
            })
          }
        />
        <EditDialog proxy={about('edit')} onClose={close} onSaved={options.onSaved} />
        <StatusDialog proxy={about('check')} onClose={close} onInstall={install} />
        <RecreateDialog proxy={about('recreate')} onClose={close} onInstall={install} />
        <SuspendDialog proxy={about('suspend')} onClose={close} />
        <PauseDialog proxy={about('pause')} onClose={close} />
        {lifting.dialog}
        {resuming.dialog}
        {deletion.dialog}
      </>
    ),
  };
}
