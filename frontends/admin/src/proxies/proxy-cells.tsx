import type { ProxyConfig } from '@talpa/contracts';
import { ProxyStatus } from '@talpa/panel-features/proxies';
import { Link } from '@talpa/panel-kit/router';
import { LongText, type Place } from '@talpa/panel-kit/table';
import { userPath } from '../paths.ts';
import { useAdminTexts } from '../texts/admin-texts.ts';
import styles from './proxies.module.css';

interface Props {
  readonly proxy: ProxyConfig;
}

/** A proxy's name, which leads to its page. In a table the server's address stands below it: there a column is dear. */
export function ProxyServer({ proxy, place }: Props & { readonly place: Place }) {
  return (
    <>
      <Link className={styles.name} to={`/tunnel-configuration/${proxy.id}`}>
        <LongText text={proxy.serverName} />
      </Link>
      {place === 'table' && <ProxyIp proxy={proxy} />}
    </>
  );
}

export const ProxyIp = ({ proxy }: Props) => (
  <span className={styles.ip}>
    <LongText text={proxy.serverIP} mono />
  </span>
);

/** Whose a proxy is: their name, which leads to their page, and their id. */
export function ProxyOwner({ proxy }: Props) {
  const t = useAdminTexts();
  return (
    <span className={styles.owner}>
      <Link to={userPath(proxy.userId)}>
        <LongText text={proxy.ownerName ?? t('proxies.owner.unknown')} lines={1} />
      </Link>{' '}
      <span className={styles.id}>{proxy.userId}</span>
    </span>
  );
}

/** A proxy's status, and below it why it is suspended; where its owner is, that it is not the proxy itself. */
export function ProxyState({ proxy }: Props) {
  const t = useAdminTexts();
  const { suspension } = proxy;
  return (
    <span className={styles.state}>
      <ProxyStatus proxy={proxy} />
      {suspension && (
        <span className={styles.suspended}>
          <LongText
            text={
              suspension.of === 'user'
                ? t('proxies.suspended.user', { reason: suspension.reason })
                : suspension.reason
            }
            lines={1}
          />
        </span>
      )}
    </span>
  );
}
