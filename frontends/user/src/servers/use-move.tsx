import type { ProxyConfig } from '@talpa/contracts';
import { useProxyTexts } from '@talpa/panel-features/proxies';
import { serversQuery } from '@talpa/panel-kit/core';
import type { RowAction } from '@talpa/panel-kit/table';
import { useQuery } from '@tanstack/react-query';
import { ArrowRightLeft } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { MoveDialog } from './move-dialog.tsx';
import { useServerTexts } from './texts.ts';

/** Moving a proxy to another server: its entry in a menu, where there is one to move to, and its dialog. */
export function useMove(onMoved?: (proxy: ProxyConfig) => void): {
  readonly actions: (proxy: ProxyConfig) => readonly RowAction[];
  readonly dialog: ReactNode;
} {
  const t = useServerTexts();
  const say = useProxyTexts();
  const { data: servers = [] } = useQuery(serversQuery);
  const [asked, setAsked] = useState<ProxyConfig | null>(null);
  const whyNot = ({ suspension, status }: ProxyConfig) => {
    if (suspension) return say('action.locked');
    return status === 'pending' ? say('action.noTunnelYet') : undefined;
  };
  return {
    actions: (proxy) => {
      const isOwn = servers.some(({ id }) => id === proxy.serverId);
      if (!isOwn || servers.length < 2) return [];
      const why = whyNot(proxy);
      const name = say('action', { action: t('move'), name: proxy.serverName });
      const onClick = () => setAsked(proxy);
      return [
        {
          key: 'move',
          text: t('move'),
          name,
          why,
          disabled: why !== undefined,
          Icon: ArrowRightLeft,
          onClick,
        },
      ];
    },
    dialog: <MoveDialog proxy={asked} onMoved={onMoved} onClose={() => setAsked(null)} />,
  };
}
