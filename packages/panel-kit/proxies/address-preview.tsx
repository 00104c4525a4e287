import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { subdomainOf } from '@talpa/contracts/subdomain';
import { panelConfig } from '../core.ts';
import { Form } from '../form.ts';
import { Alert, Change } from '../ui.ts';
import styles from './proxies.module.css';
import type { ProxyValues } from './proxy-fields.tsx';
import { useProxyTexts } from './texts.ts';

/** The host name that the fields of the surrounding form result in; null while they result in none. */
function useResultingHost(): string | null {
  const name = Form.useWatch<ProxyValues['serverName'] | undefined>('serverName') ?? '';
  const custom = Form.useWatch<ProxyValues['customUrl'] | undefined>('customUrl') ?? '';
  const { tunnelDomain } = panelConfig();
  const subdomain = subdomainOf(name, custom.trim() || null, tunnelDomain);
  return 'problem' in subdomain ? null : `${subdomain.label}.${tunnelDomain}`;
}

/** Shows live which public address results from what is typed. */
export function AddressPreview() {
  const t = useProxyTexts();
  const host = useResultingHost();
  return (
    // No output element: antd styles it inside forms.
    <p className={styles.preview} aria-live="polite" data-empty={host === null}>
      <span className={styles.previewLabel}>{t('field.address')}</span>
      <span className={styles.previewHost}>{host ?? t('field.address.none')}</span>
    </p>
  );
}

/** Warns that saving moves the public address, and shows the old and the new one. */
export function AddressMove({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useProxyTexts();
  const host = useResultingHost();
  if (host === null || host === proxy.cfDomain) return null;
  return (
    <Alert
      type="warning"
      showIcon
      title={t('edit.moves')}
      description={
        <>
          <Change from={<Whole host={proxy.cfDomain} />} to={<Whole host={host} />} />
          <p className={styles.after}>{t('edit.moves.text')}</p>
        </>
      }
    />
  );
}

/** A host name that goes to the next line before it is broken. */
const Whole = ({ host }: { readonly host: string }) => <span className={styles.whole}>{host}</span>;
