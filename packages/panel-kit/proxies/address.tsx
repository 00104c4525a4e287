import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { publicUrl } from '@talpa/contracts/subdomain';
import { ExternalLink } from 'lucide-react';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';

/** The public address of a proxy, opened in a new tab. */
export function ProxyAddress({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useProxyTexts();
  return (
    <a className={styles.address} href={publicUrl(proxy)} target="_blank" rel="noreferrer">
      {proxy.cfDomain}
      <ExternalLink size={13} aria-label={t('newTab')} />
    </a>
  );
}
