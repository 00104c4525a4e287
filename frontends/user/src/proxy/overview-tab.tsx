import type { ProxyConfig } from '@talpa/contracts';
import { ConnectNotice } from './connect-notice.tsx';
import { HealthCards } from './health-cards.tsx';
import { TrafficCard } from './traffic-card.tsx';

/** How a proxy is at both ends, how it was, and what went through. */
export function OverviewTab(props: {
  readonly proxy: ProxyConfig;
  readonly onRecreate: () => void;
  readonly onInstall: () => void;
  readonly onEdit: () => void;
}) {
  return (
    <>
      <ConnectNotice {...props} />
      <HealthCards proxy={props.proxy} onEdit={props.onEdit} />
      <TrafficCard proxyId={props.proxy.id} />
    </>
  );
}
