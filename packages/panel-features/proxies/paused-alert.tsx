import type { ProxyConfig } from '@talpa/contracts';
import { tunnelProviders } from '@talpa/contracts/tunnel-providers';
import { formatTime, panelConfig, useLanguage } from '@talpa/panel-kit/core';
import { Alert, Button } from '@talpa/panel-kit/ui';
import { mayDo, type ProxyAction } from './action-roles.ts';
import { ProxyActionButton } from './actions.tsx';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';

/** Says on a proxy's page that it is paused, since when and what visitors read; nothing while it is not. */
export function PausedAlert(props: {
  readonly proxy: ProxyConfig;
  readonly onAction: (action: ProxyAction) => void;
}) {
  const t = useProxyTexts();
  const language = useLanguage();
  const { proxy, onAction } = props;
  const { paused, suspension } = proxy;
  // The suspension comes first, for visitors too.
  if (!paused || suspension) return null;
  const { runsHere } = tunnelProviders[panelConfig().tunnelProvider];
  return (
    <Alert
      type="warning"
      showIcon
      title={t('paused.title', { since: formatTime(paused.since, language) })}
      description={
        <>
          <p className={styles.paragraph}>{t(runsHere ? 'paused.effect' : 'paused.effect.elsewhere')}</p>
          {paused.message && (
            <p className={styles.words} dir="auto">
              {paused.message}
            </p>
          )}
          {mayDo(proxy, 'resume') && (
            <p className={styles.answers}>
              <ProxyActionButton
                proxy={proxy}
                action="resume"
                type="primary"
                withIcon
                onClick={() => onAction('resume')}
              />
              <Button onClick={() => onAction('pause')}>{t('paused.change')}</Button>
            </p>
          )}
        </>
      }
    />
  );
}
