import type { ProxyConfig } from '@talpa/contracts';
import { publicUrl } from '@talpa/contracts/subdomain';
import { useAgo } from '@talpa/panel-kit/core';
import { Button } from '@talpa/panel-kit/ui';
import { CircleCheck, ExternalLink } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { InstallChoice } from './install-guide.tsx';
import { InstallHints } from './install-hints.tsx';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';

/** A connector comes within seconds of its start; who waits longer may need help. In ms. */
const patienceMs = 45_000;

/** Waits for the connector together with the user: says when it is there, and helps when it does not come. */
export function InstallProgress(props: { readonly proxy: ProxyConfig; readonly choice: InstallChoice }) {
  const t = useProxyTexts();
  const ago = useAgo();
  const { proxy } = props;
  const isConnected = proxy.status === 'active';
  const isLost = !isConnected && proxy.tunnelHealth === 'down';
  const isLate = useIsLate(!isConnected);
  return (
    <>
      <div className={`${styles.progress} ${isConnected ? styles.arrived : ''}`}>
        <span className={styles.progressMark} aria-hidden>
          {isConnected ? <CircleCheck size={20} /> : <span className={styles.pulse} />}
        </span>
        {/* One region that stays, so that its change is announced. */}
        <div role="status" className={styles.progressText}>
          <strong>
            {isConnected ? t('install.connected') : isLost ? t('install.lost') : t('install.waiting')}
          </strong>
          <span>
            {isConnected
              ? t(proxy.paused ? 'paused.explained' : 'install.connected.text')
              : isLost && proxy.tunnelHealthAt
                ? t('install.lost.text', { ago: ago(proxy.tunnelHealthAt) })
                : t('install.waiting.text')}
          </span>
        </div>
        {isConnected && <OpenAddress proxy={proxy} />}
      </div>
      {!isConnected && (isLate || isLost) && <InstallHints {...props} />}
    </>
  );
}

/** Opens the public address, as what is to be done next. */
export function OpenAddress({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useProxyTexts();
  return (
    <Button
      type="primary"
      href={publicUrl(proxy)}
      target="_blank"
      rel="noreferrer"
      icon={<ExternalLink size={15} aria-hidden />}
      aria-label={`${t('install.open')}: ${proxy.cfDomain}, ${t('newTab')}`}
    >
      {t('install.open')}
    </Button>
  );
}

/** Whether something has gone on for longer than it should. */
export function useIsLate(isWaiting: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isWaiting]);
  return isLate;
}
