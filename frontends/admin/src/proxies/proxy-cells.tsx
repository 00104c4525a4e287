import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { ProxyStatus } from '@talpa/panel-kit/proxies';
import { Link } from '@talpa/panel-kit/router';
import { userPath } from '../paths.ts';
import { useAdminTexts } from '../texts/admin-texts.ts';
import styles from './proxies.module.css';

interface Props {
  readonly proxy: ProxyConfig;
}

/** A proxy's name, which leads to its page. */
export function ProxyName({ proxy }: Props) {
  return (
    <Link className={styles.name} to={`/tunnel-configuration/${proxy.id}`}>
      {proxy.serverName}
    </Link>
  );
}

/** Whose a proxy is: his name, which leads to his page, and his id. */
export function ProxyOwner({ proxy }: Props) {
  const t = useAdminTexts();
  return (
    <span className={styles.owner}>
      <Link to={userPath(proxy.userId)}>{proxy.ownerName ?? t('proxies.owner.unknown')}</Link>{' '}
      <span className={styles.id}>{proxy.userId}</span>
    </span>
  );
}

/** A proxy's status, and why it is suspended. */
export function ProxyState({ proxy }: Props) {
  const t = useAdminTexts();
  const { suspension } = proxy;
  return (
    <span className={styles.state}>
      <ProxyStatus proxy={proxy} />
      {suspension && (
        <span className={styles.suspended} title={suspension.reason}>
          {t(`proxies.suspended.${suspension.of}`, { reason: suspension.reason })}
        </span>
      )}
    </span>
  );
}
