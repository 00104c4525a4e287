import type { ProxyConfig } from '@talpa/contracts';
import { publicUrl } from '@talpa/contracts/subdomain';
import { Tooltip } from '@talpa/panel-kit/ui';
import { ExternalLink } from 'lucide-react';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';

/**
 * The public address of a proxy, opened in a new tab. `inTable`: subdomain and domain take a line each where they do
 * not fit into one, and a subdomain that is too long for its line is cut, and whole where a pointer or the focus is.
 */
export function ProxyAddress({
  proxy,
  inTable = false,
}: {
  readonly proxy: ProxyConfig;
  readonly inTable?: boolean;
}) {
  const t = useProxyTexts();
  const { cfDomain } = proxy;
  const [dot, end] = [cfDomain.indexOf('.'), cfDomain.lastIndexOf('.')];
  const link = {
    href: publicUrl(proxy),
    target: '_blank',
    rel: 'noreferrer',
    'aria-label': `${cfDomain} ${t('newTab')}`,
  };
  const icon = <ExternalLink size={13} aria-hidden />;
  if (inTable)
    return (
      <Tooltip title={dot > longestShown ? cfDomain : undefined}>
        <a className={styles.addressCell} {...link}>
          <span className={styles.addressLabel}>{cfDomain.slice(0, dot)}</span>
          <span className={styles.addressDomain}>
            {cfDomain.slice(dot)}
            {icon}
          </span>
        </a>
      </Tooltip>
    );
  return (
    <a className={styles.address} {...link}>
      {cfDomain.slice(0, dot)}
      <wbr />
      {cfDomain.slice(dot, end)}
      <span className={styles.addressEnd}>
        {cfDomain.slice(end)}
        {icon}
      </span>
    </a>
  );
}

/** Subdomains up to here fit into the narrowest column. */
const longestShown = 18;
