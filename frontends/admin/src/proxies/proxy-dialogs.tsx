import type { Proxy as ProxyConfig } from '@talpa/contracts';
import {
  DeleteDialog,
  EditDialog,
  InstallDialog,
  LiftSuspensionDialog,
  RecreateDialog,
  StatusDialog,
  SuspendDialog,
} from '@talpa/panel-kit/proxies';
import type { Changed } from '@talpa/panel-kit/table';
import { useState } from 'react';

/** A dialog about one proxy. */
export type ProxyDialog = 'edit' | 'install' | 'check' | 'recreate' | 'suspend' | 'lift' | 'delete';

/** What an administrator does with a proxy: the dialogs of its owner, and his own. */
export function useProxyDialogs(
  proxies: readonly ProxyConfig[] | undefined,
  changed?: Pick<Changed<ProxyConfig>, 'note' | 'forget'>,
) {
  const [asked, setAsked] = useState<{ readonly dialog: ProxyDialog; readonly proxy: ProxyConfig } | null>(
    null,
  );
  const close = () => setAsked(null);
  const about = (dialog: ProxyDialog) =>
    asked?.dialog === dialog ? (proxies?.find(({ id }) => id === asked.proxy.id) ?? asked.proxy) : null;
  return {
    open: (dialog: ProxyDialog, proxy: ProxyConfig) => setAsked({ dialog, proxy }),
    dialogs: (
      <>
        <InstallDialog proxy={about('install')} onClose={close} />
        <EditDialog proxy={about('edit')} onClose={close} onSaved={changed?.note} />
        <StatusDialog
          proxy={about('check')}
          onClose={close}
          onInstall={(proxy) => setAsked({ dialog: 'install', proxy })}
        />
        <RecreateDialog
          proxy={about('recreate')}
          onClose={close}
          onInstall={(proxy) => setAsked({ dialog: 'install', proxy })}
        />
        <SuspendDialog proxy={about('suspend')} onClose={close} />
        <LiftSuspensionDialog proxy={about('lift')} onClose={close} />
        <DeleteDialog proxy={about('delete')} onClose={close} onStart={changed?.forget} />
      </>
    ),
  };
}
