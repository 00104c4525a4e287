import type { ProxyConfig } from '@talpa/contracts';
import { isLoopback } from '@talpa/contracts/reach';
import { publicUrl } from '@talpa/contracts/subdomain';
import { proxyHealthQuery } from '@talpa/panel-kit/core';
import { Radio } from '@talpa/panel-kit/form';
import { Alert } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CodeBlock } from './code-block.tsx';
import type { System } from './install-steps.ts';
import { closePort, type Guide, guideNames, guideOf, guides, panelSettings } from './panel-settings.ts';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';

/** What is left to do on the server once the connector is there, by the panel that runs on it. */
export function AfterInstall({ proxy, system }: { readonly proxy: ProxyConfig; readonly system: System }) {
  const t = useProxyTexts();
  const [panel, setPanel] = useState<Guide>(guideOf(proxy.panel));
  const { serverIP: host, adminPort: port } = proxy;
  const { data: health } = useQuery(proxyHealthQuery(proxy.id));
  return (
    <section aria-label={t('after.title')} className={styles.after}>
      {health?.origin?.state === 'unreachable' && (
        <Alert
          type="warning"
          showIcon
          title={t('after.unreachable')}
          description={t('after.unreachable.text', { host, port })}
        />
      )}
      <p className={styles.step}>{t('after.title')}</p>
      <Radio.Group
        optionType="button"
        className={styles.choices ?? ''}
        aria-label={t('after.panel')}
        value={panel}
        onChange={({ target }) => setPanel(target.value)}
        options={guides.map((value) => ({
          value,
          label: value === 'other' ? t('after.other') : guideNames[value],
        }))}
      />
      <p className={styles.paragraph}>{t(`after.text.${panel}`)}</p>
      <CodeBlock label={t(`after.settings.${panel}`)} shown={panelSettings(panel, publicUrl(proxy), host)} />
      <p className={styles.paragraph}>
        {isLoopback(host) ? t('after.port.text', { port }) : t('after.port.elsewhere', { host, port })}
      </p>
      {isLoopback(host) && <CodeBlock label={t('after.port')} shown={closePort(system, port)} />}
    </section>
  );
}
