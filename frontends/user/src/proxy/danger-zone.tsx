import type { ProxyConfig } from '@talpa/contracts';
import { ProxyActionButton, TextWithHost } from '@talpa/panel-features/proxies';
import { Panel } from '@talpa/panel-kit/ui';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './proxy.module.css';

/** What cannot be undone; each asks first. */
export function DangerZone(props: {
  readonly proxy: ProxyConfig;
  readonly onRecreate: () => void;
  readonly onDelete: () => void;
}) {
  const t = useUserTexts();
  return (
    <Panel title={t('proxy.danger')} danger flush>
      <div className={styles.risk}>
        <div>
          <h3>{t('proxy.danger.recreate')}</h3>
          <p className={styles.note}>{t('proxy.danger.recreate.text')}</p>
        </div>
        <ProxyActionButton proxy={props.proxy} action="recreate" onClick={props.onRecreate} />
      </div>
      <div className={styles.risk}>
        <div>
          <h3>{t('proxy.danger.delete')}</h3>
          <p className={styles.note}>
            <TextWithHost
              text={t('proxy.danger.delete.text', { address: props.proxy.cfDomain })}
              host={props.proxy.cfDomain}
            />
          </p>
        </div>
        <ProxyActionButton proxy={props.proxy} action="delete" type="primary" onClick={props.onDelete} />
      </div>
    </Panel>
  );
}
