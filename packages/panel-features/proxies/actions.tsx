import type { ProxyConfig } from '@talpa/contracts';
import { useUser } from '@talpa/panel-kit/core';
import type { RowAction, RowMenu } from '@talpa/panel-kit/table';
import { Button } from '@talpa/panel-kit/ui';
import {
  Activity,
  Ban,
  Download,
  Ellipsis,
  type LucideIcon,
  Pause,
  Pencil,
  Play,
  RefreshCw,
  ShieldCheck,
  Trash2,
} from 'lucide-react';
import { mayDo, type ProxyAction } from './action-roles.ts';
import { lacksTunnel } from './recreate-dialog.tsx';
import { useProxyTexts } from './texts.ts';

const icons: Readonly<Record<ProxyAction, LucideIcon>> = {
  edit: Pencil,
  install: Download,
  check: Activity,
  recreate: RefreshCw,
  pause: Pause,
  resume: Play,
  suspend: Ban,
  lift: ShieldCheck,
  delete: Trash2,
};

/** The server refuses these to the owner of a suspended proxy. */
const refusedToOwner: readonly ProxyAction[] = ['edit', 'install', 'recreate', 'pause', 'resume'];

/** Makes one action of a proxy, the same wherever it is offered: its words, and whether it is possible now. */
function useProxyAction(): (proxy: ProxyConfig, key: ProxyAction, run: () => void) => RowAction {
  const t = useProxyTexts();
  const { isAdmin } = useUser();
  const whyNot = (proxy: ProxyConfig, key: ProxyAction) => {
    const { suspension } = proxy;
    if (suspension && !isAdmin && refusedToOwner.includes(key)) return t('action.locked');
    if (key === 'check' && !proxy.cfTunnelId)
      return t(lacksTunnel(proxy) ? 'action.noTunnel' : 'action.noTunnelYet');
    if (key === 'recreate' && proxy.status === 'pending') return t('action.noTunnelYet');
    return key === 'suspend' && suspension?.of === 'user' ? t('action.ownerSuspended') : undefined;
  };
  return (proxy, key, run) => {
    const text = t(`action.${key}`);
    const why = whyNot(proxy, key);
    return {
      key,
      text,
      short: key === 'check' || key === 'recreate' ? t(`action.${key}.short`) : undefined,
      name: t('action', { action: text, name: proxy.serverName }),
      why,
      Icon: icons[key],
      onClick: run,
      disabled: why !== undefined,
      danger: key === 'delete',
    };
  };
}

/** Suspending a proxy, or lifting its suspension. */
export const suspensionAction = ({ suspension }: ProxyConfig): ProxyAction =>
  suspension?.of === 'proxy' ? 'lift' : 'suspend';

/** Pausing a proxy, or resuming it. */
export const pauseAction = ({ paused }: ProxyConfig): ProxyAction => (paused ? 'resume' : 'pause');

/** The actions of a proxy's row. @param options.suspends whether suspending is one of them; `more` stand in the menu, too */
export function useProxyActions(
  onAction: (action: ProxyAction, proxy: ProxyConfig) => void,
  options: {
    readonly suspends: boolean;
    readonly more?: ((proxy: ProxyConfig) => readonly RowAction[]) | undefined;
  },
): (proxy: ProxyConfig) => readonly (RowAction | RowMenu)[] {
  const t = useProxyTexts();
  const action = useProxyAction();
  return (proxy) => {
    const allowed = (keys: readonly ProxyAction[]) =>
      keys.filter((key) => mayDo(proxy, key)).map((key) => action(proxy, key, () => onAction(key, proxy)));
    const text = t('action.more');
    const menu = [
      ...allowed([pauseAction(proxy), 'recreate', ...(options.suspends ? [suspensionAction(proxy)] : [])]),
      ...(options.more?.(proxy) ?? []),
    ];
    const more = {
      ...{ key: 'more', text, short: t('action.more.short'), Icon: Ellipsis },
      name: t('action', { action: text, name: proxy.serverName }),
      menu,
    };
    return [...allowed(['edit', 'install', 'check', 'delete']), ...(menu.length > 0 ? [more] : [])];
  };
}

/** An action of a proxy as a button of its own. */
export function ProxyActionButton(props: {
  readonly proxy: ProxyConfig;
  readonly action: ProxyAction;
  /** Beside its words; none for a button in the middle of a text. */
  readonly withIcon?: boolean;
  readonly type?: 'primary';
  readonly onClick: () => void;
}) {
  const { text, why, Icon, ...action } = useProxyAction()(props.proxy, props.action, props.onClick);
  return (
    <Button
      type={props.type ?? 'default'}
      icon={props.withIcon && <Icon size={15} aria-hidden />}
      disabled={action.disabled ?? false}
      danger={action.danger ?? false}
      title={why}
      onClick={action.onClick}
    >
      {text}
    </Button>
  );
}
