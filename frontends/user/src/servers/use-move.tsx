import type { ProxyConfig } from '@talpa/contracts';
import { useProxyTexts } from '@talpa/panel-features/proxies';
import { serversQuery } from '@talpa/panel-kit/core';
import type { RowAction } from '@talpa/panel-kit/table';
import { useQuery } from '@tanstack/react-query';
import { ArrowRightLeft } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { isKnown } from './is-known.ts';
import { MoveDialog } from './move-dialog.tsx';
import { useServerTexts } from './texts.ts';

/** Moving a proxy to another server: its entry in a menu, where there is one to move to, and its dialog. */
export function useMove(options: {
  readonly onMoved?: (proxy: ProxyConfig) => void;
  /** It has moved to a server that has no connector. */
  readonly onInstall: (proxy: ProxyConfig) => void;
}): {
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
      const own = servers.find(({ id }) => id === proxy.serverId);
      if (!own || (servers.length < 2 && !isKnown(own))) return [];
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
    dialog: (
      <MoveDialog
        proxy={asked}
        onMoved={(proxy, isNew) => {
          options.onMoved?.(proxy);
          if (isNew) options.onInstall(proxy);
        }}
        onClose={() => setAsked(null)}
      />
    ),
  };
}
