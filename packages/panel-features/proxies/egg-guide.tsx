import { connectorPath } from '@talpa/contracts/connector';
import { isLoopback } from '@talpa/contracts/reach';
import { Alert, Button, CopyButton } from '@talpa/panel-kit/ui';
import { Download } from 'lucide-react';
import { WithKey } from './enrol-command.tsx';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';
import type { KeyFor } from './use-enrolment-key.ts';

/** Of the egg; see the gateway's. */
const variables = ['TALPA_KEY', 'TALPA_ADDRESS', 'TALPA_PORT'] as const;

/**
 * How the connector runs as a server of its own in Pterodactyl or Pelican.
 * @param props.target where the proxy's connector finds its panel; null: the egg says it
 */
export function EggGuide(props: { readonly whose: KeyFor; readonly target: Target | null }) {
  const t = useProxyTexts();
  const { target } = props;
  return (
    <div className={styles.blocks}>
      {target && isLoopback(target.serverIP) && (
        <Alert type="warning" showIcon title={t('egg.loopback')} description={t('egg.loopback.text')} />
      )}
      <ol className={styles.numbered}>
        <li>
          {t('egg.import')}
          <div className={styles.ownLine}>
            <Button
              href={`${location.origin}${connectorPath}/egg.json`}
              download="talpa-egg.json"
              icon={<Download size={15} aria-hidden />}
            >
              {t('egg.download')}
            </Button>
          </div>
        </li>
        <li>{t('egg.create')}</li>
      </ol>
      <WithKey whose={props.whose}>
        {(key, isThere) => {
          const values = {
            TALPA_KEY: <code className="secret">{key}</code>,
            TALPA_ADDRESS: target ? <code>{target.serverIP}</code> : t('egg.address'),
            TALPA_PORT: target ? <code>{target.adminPort}</code> : t('egg.port'),
          };
          return (
            <dl className={styles.variables} inert={!isThere}>
              {variables.map((name) => (
                <div key={name} className={styles.variable}>
                  <dt>
                    <code>{name}</code>
                  </dt>
                  <dd>
                    {values[name]}
                    {name === 'TALPA_KEY' && <CopyButton text={key} label={name} />}
                  </dd>
                </div>
              ))}
            </dl>
          );
        }}
      </WithKey>
      <p className={styles.aside}>{t('egg.start')}</p>
    </div>
  );
}

interface Target {
  readonly serverIP: string;
  readonly adminPort: number;
}
