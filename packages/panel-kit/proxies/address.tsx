import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { publicUrl } from '@talpa/contracts/subdomain';
import { ExternalLink } from 'lucide-react';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';

/** The public address of a proxy, opened in a new tab. `oneLine`: the end of a long one is left out. */
export function ProxyAddress({
  proxy,
  oneLine = false,
}: {
  readonly proxy: ProxyConfig;
  readonly oneLine?: boolean;
}) {
  const t = useProxyTexts();
  const { cfDomain } = proxy;
  const [dot, end] = [cfDomain.indexOf('.'), cfDomain.lastIndexOf('.')];
  return (
    <a
      className={oneLine ? styles.addressLine : styles.address}
      href={publicUrl(proxy)}
      title={cfDomain}
      target="_blank"
      rel="noreferrer"
    >
      {cfDomain.slice(0, dot)}
      <wbr />
      {cfDomain.slice(dot, end)}
      <span className={styles.addressEnd}>
        {cfDomain.slice(end)}
        <ExternalLink size={13} aria-label={t('newTab')} />
      </span>
    </a>
  );
}
