import type { ProxyConfig } from '@talpa/contracts';
import { gamePortsQuery, lazyPage, panelConfig } from '@talpa/panel-kit/core';
import { Awaited, LazyPart, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

const PortsPanel = lazyPage(() =>
  import('../game-ports/ports-panel.tsx').then((module) => module.PortsPanel),
);

/** The game ports of a proxy. Where the operator has switched them off, only those that there were. */
export function GamePortsPart({ proxy }: { readonly proxy: ProxyConfig }) {
  const isOn = panelConfig().gamePorts;
  const { data, isLoading } = useQuery({ ...gamePortsQuery(proxy.id), enabled: !isOn });
  const [isShown, setShown] = useState(isOn);
  // The panel stays when the last one is removed: its dialog has yet to close.
  if (!isShown && data && data.ports.length > 0) setShown(true);
  if (isLoading) return <Awaited />;
  if (!isShown) return null;
  return (
    <LazyPart fallback={<Skeleton active paragraph={{ rows: 2 }} />}>
      <PortsPanel proxy={proxy} />
    </LazyPart>
  );
}
