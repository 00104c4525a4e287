import type { ProxyConfig } from '@talpa/contracts';
import { absenceOf } from '@talpa/contracts/status';
import { mayDo, ProxyActionButton } from '@talpa/panel-features/proxies';
import { Alert, Button } from '@talpa/panel-kit/ui';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './proxy.module.css';

/** What a proxy lacks so that visitors get through; null when it lacks nothing. */
export function lackOf(proxy: ProxyConfig): 'tunnel' | 'connection' | 'connector' | null {
  const { status, suspension, cfTunnelId } = proxy;
  if (suspension || status === 'active' || status === 'pending') return null;
  if (cfTunnelId === null) return 'tunnel';
  return absenceOf(proxy) === 'lost' ? 'connection' : 'connector';
}

/** Says what to do about what a proxy lacks; nothing when it lacks nothing. */
export function ConnectNotice(props: {
  readonly proxy: ProxyConfig;
  readonly onRecreate: () => void;
  readonly onInstall: () => void;
}) {
  const t = useUserTexts();
  const lack = lackOf(props.proxy);
  if (lack === null) return null;
  return (
    <Alert
      type={lack === 'connector' ? 'info' : 'warning'}
      showIcon
      title={t(`proxy.lack.${lack}`)}
      description={
        <>
          <p className={styles.lack}>{t(`proxy.lackText.${lack}`)}</p>
          {!mayDo(props.proxy, lack === 'tunnel' ? 'recreate' : 'install') ? null : lack === 'tunnel' ? (
            <ProxyActionButton
              proxy={props.proxy}
              action="recreate"
              type="primary"
              onClick={props.onRecreate}
            />
          ) : (
            <Button type="primary" onClick={props.onInstall}>
              {t(`proxy.lackAction.${lack}`)}
            </Button>
          )}
        </>
      }
    />
  );
}
