import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { Alert, Button } from '@talpa/panel-kit/ui';
import { useUserTexts } from '../texts/user-texts.ts';

/** Says what a proxy lacks so that visitors get through, and the way to it; nothing when it lacks nothing. */
export function ConnectNotice(props: { readonly proxy: ProxyConfig; readonly onInstall: () => void }) {
  const t = useUserTexts();
  const { status, suspension, cfTunnelId, tunnelHealth } = props.proxy;
  if (suspension || status === 'active' || status === 'pending') return null;
  const lack = cfTunnelId === null ? 'tunnel' : tunnelHealth === 'down' ? 'connection' : 'connector';
  return (
    <Alert
      type={lack === 'connector' ? 'info' : 'warning'}
      showIcon
      title={t(`proxy.lack.${lack}`)}
      description={t(`proxy.lackText.${lack}`)}
      action={
        <Button type="primary" onClick={props.onInstall}>
          {t(`proxy.lackAction.${lack}`)}
        </Button>
      }
    />
  );
}
