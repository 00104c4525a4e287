import type { ProxyConfig } from '@talpa/contracts';
import { mayDo, ProxyActionButton, ProxyAddress, useOriginFacts } from '@talpa/panel-features/proxies';
import { formatDate, useLanguage } from '@talpa/panel-kit/core';
import { Facts, Panel } from '@talpa/panel-kit/ui';
import { ServerLink } from '../servers/server-link.tsx';
import { useUserTexts } from '../texts/user-texts.ts';
import { DangerZone } from './danger-zone.tsx';
import styles from './proxy.module.css';

/** What was entered of a proxy, and at the end what cannot be undone. */
export function SettingsTab(props: {
  readonly proxy: ProxyConfig;
  readonly onEdit: () => void;
  readonly onRecreate: () => void;
  readonly onDelete: () => void;
}) {
  const t = useUserTexts();
  const language = useLanguage();
  const originFacts = useOriginFacts(props.proxy);
  const { proxy, onEdit, ...risks } = props;
  return (
    <>
      <Panel
        title={t('proxy.configuration')}
        extra={
          mayDo(proxy, 'edit') && <ProxyActionButton proxy={proxy} action="edit" withIcon onClick={onEdit} />
        }
      >
        <Facts
          as="table"
          facts={[
            [t('proxies.column.name'), proxy.serverName],
            [
              t('proxies.column.ip'),
              <span key="ip" className={styles.mono}>
                {proxy.serverIP}
              </span>,
            ],
            [
              t('proxies.column.port'),
              <span key="port" className={styles.mono}>
                {proxy.adminPort}
              </span>,
            ],
            ...originFacts,
            [t('proxies.column.address'), <ProxyAddress key="address" proxy={proxy} />],
            [t('proxy.server'), <ServerLink key="server" id={proxy.serverId} />],
            [t('proxy.createdAt'), formatDate(proxy.createdAt, language)],
          ]}
        />
      </Panel>
      <DangerZone proxy={proxy} {...risks} />
    </>
  );
}
