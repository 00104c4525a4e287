import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { publicUrl } from '@talpa/contracts/subdomain';
import { ExternalLink } from 'lucide-react';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';

/** The public address of a proxy, opened in a new tab. */
export function ProxyAddress({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useProxyTexts();
  const { cfDomain } = proxy;
  const [dot, end] = [cfDomain.indexOf('.'), cfDomain.lastIndexOf('.')];
  return (
    <a className={styles.address} href={publicUrl(proxy)} target="_blank" rel="noreferrer">
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
