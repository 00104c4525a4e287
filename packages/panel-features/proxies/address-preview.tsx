import type { ProxyConfig } from '@talpa/contracts';
import { Form } from '@talpa/panel-kit/form';
import { Alert, Change } from '@talpa/panel-kit/ui';
import { CircleCheck, CircleX } from 'lucide-react';
import styles from './proxies.module.css';
import type { ProxyValues } from './proxy-values.ts';
import { useProxyTexts } from './texts.ts';
import { UnbrokenHost } from './unbroken-host.tsx';
import { type AddressHolder, hostOf, labelFrom, useAvailability } from './use-availability.ts';

/** The subdomain that the fields of the surrounding form result in; null while they result in none. */
function useResultingLabel(): string | null {
  const serverName = Form.useWatch<ProxyValues['serverName'] | undefined>('serverName') ?? '';
  const customUrl = Form.useWatch<ProxyValues['customUrl'] | undefined>('customUrl') ?? '';
  return labelFrom({ serverName, customUrl });
}

/** Shows live which public address results from what is typed, and whether it is free. */
export function AddressPreview({ proxy }: { readonly proxy: AddressHolder | undefined }) {
  const t = useProxyTexts();
  const label = useResultingLabel();
  const availability = useAvailability(label, proxy);
  const isFree = availability === 'free';
  const Icon = isFree ? CircleCheck : CircleX;
  return (
    // No output element: antd styles it inside forms.
    <p className={styles.preview} aria-live="polite" data-empty={label === null}>
      <span className={styles.previewLabel}>{t('field.address')}</span>
      <span className={styles.previewHost}>{label === null ? t('field.address.none') : hostOf(label)}</span>
      {availability && availability !== 'invalid' && (
        <span className={isFree ? styles.free : styles.taken}>
          <Icon size={15} aria-hidden /> {t(`address.${availability}`)}
        </span>
      )}
    </p>
  );
}

/** Warns that saving moves the public address, and shows the old and the new one. */
export function AddressMove({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useProxyTexts();
  const label = useResultingLabel();
  const host = label === null ? null : hostOf(label);
  if (host === null || host === proxy.cfDomain) return null;
  return (
    <Alert
      type="warning"
      showIcon
      title={t('edit.moves')}
      description={
        <>
          <Change from={<UnbrokenHost host={proxy.cfDomain} />} to={<UnbrokenHost host={host} />} />
          <p className={styles.after}>{t('edit.moves.text')}</p>
        </>
      }
    />
  );
}
