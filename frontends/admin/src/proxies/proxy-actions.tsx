import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { lacksTunnel } from '@talpa/panel-kit/proxies';
import type { RowAction } from '@talpa/panel-kit/table';
import { Activity, Ban, Download, Pencil, RefreshCw, ShieldCheck, Trash2 } from 'lucide-react';
import { useAdminTexts } from '../texts/admin-texts.ts';
import type { ProxyDialog } from './proxy-dialogs.tsx';

/** What an administrator can do with a proxy. */
export function useProxyActions(
  onAction: (dialog: ProxyDialog, proxy: ProxyConfig) => void,
): (proxy: ProxyConfig) => readonly RowAction[] {
  const t = useAdminTexts();
  return (proxy) => {
    const { suspension, serverName: name } = proxy;
    const isOwnerSuspended = suspension?.of === 'user';
    const action = (key: ProxyDialog, text: string, rest: Pick<RowAction, 'Icon'> & Partial<RowAction>) => ({
      key,
      text,
      name: t('action', { action: text, name }),
      onClick: () => onAction(key, proxy),
      ...rest,
    });
    return [
      action('edit', t('edit'), { Icon: Pencil }),
      action('install', t('install'), { Icon: Download }),
      action('check', t('proxies.check'), {
        short: t('proxies.check.short'),
        Icon: Activity,
        disabled: !proxy.cfTunnelId,
      }),
      ...(lacksTunnel(proxy)
        ? [
            action('recreate', t('proxies.recreate'), {
              short: t('proxies.recreate.short'),
              Icon: RefreshCw,
            }),
          ]
        : []),
      suspension?.of === 'proxy'
        ? action('lift', t('proxies.lift'), { Icon: ShieldCheck })
        : action('suspend', t('proxies.suspend'), {
            why: isOwnerSuspended ? t('proxies.ownerSuspended') : undefined,
            Icon: Ban,
            disabled: isOwnerSuspended,
          }),
      action('delete', t('delete'), { Icon: Trash2, danger: true }),
    ];
  };
}
