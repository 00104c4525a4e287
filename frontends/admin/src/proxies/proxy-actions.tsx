import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { IconButton } from '@talpa/panel-kit/ui';
import { Activity, Ban, Download, type LucideIcon, Pencil, ShieldCheck, Trash2 } from 'lucide-react';
import { useAdminTexts } from '../texts/admin-texts.ts';
import type { ProxyDialog } from './proxy-dialogs.tsx';

interface Action {
  readonly dialog: ProxyDialog;
  readonly text: string;
  readonly tip?: string;
  readonly Icon: LucideIcon;
  readonly disabled?: boolean;
  readonly danger?: boolean;
}

/** The buttons of a proxy's row or card. */
export function ProxyActions(props: {
  readonly proxy: ProxyConfig;
  readonly onAction: (dialog: ProxyDialog) => void;
}) {
  const t = useAdminTexts();
  const { suspension, serverName: name } = props.proxy;
  const isOwnerSuspended = suspension?.of === 'user';
  const actions: readonly Action[] = [
    { dialog: 'edit', text: t('edit'), Icon: Pencil },
    { dialog: 'install', text: t('install'), Icon: Download },
    { dialog: 'check', text: t('proxies.check'), Icon: Activity, disabled: !props.proxy.cfTunnelId },
    suspension?.of === 'proxy'
      ? { dialog: 'lift', text: t('proxies.lift'), Icon: ShieldCheck }
      : {
          dialog: 'suspend',
          text: t('proxies.suspend'),
          tip: isOwnerSuspended ? t('proxies.ownerSuspended') : t('proxies.suspend'),
          Icon: Ban,
          disabled: isOwnerSuspended,
        },
    { dialog: 'delete', text: t('delete'), Icon: Trash2, danger: true },
  ];
  return actions.map(({ dialog, text, Icon, ...rest }) => (
    <IconButton
      key={dialog}
      label={t('action', { action: text, name })}
      tip={text}
      icon={<Icon size={16} aria-hidden />}
      onClick={() => props.onAction(dialog)}
      {...rest}
    />
  ));
}
