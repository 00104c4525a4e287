import type { ConnectorSignal } from '@talpa/contracts';
import { Tag } from '@talpa/panel-kit/ui';
import { useUserTexts } from '../texts/user-texts.ts';
import { Facts } from './facts.tsx';
import { Moment } from './moment.tsx';
import styles from './proxy.module.css';

/** Who is connected to the tunnel, from where and since when. */
export function ConnectorFacts({ connector }: { readonly connector: ConnectorSignal | null }) {
  const t = useUserTexts();
  if (!connector) return <p className={styles.note}>{t('proxy.connector.unknown')}</p>;
  const { connectedSince, lastSeenAt, connections, connectors, degraded } = connector;
  if (!connectedSince)
    return (
      <Facts
        facts={[
          [t('proxy.state'), <Tag key="state">{t('proxy.connector.none')}</Tag>],
          [
            t('proxy.connector.lastSeen'),
            lastSeenAt ? <Moment key="seen" at={lastSeenAt} /> : t('proxy.never'),
          ],
        ]}
      />
    );
  return (
    <Facts
      facts={[
        [
          t('proxy.state'),
          degraded ? (
            <Tag key="state" color="warning">
              {t('proxy.connector.degraded')}
            </Tag>
          ) : (
            <Tag key="state" color="success">
              {t('proxy.connector.connected')}
            </Tag>
          ),
        ],
        [t('proxy.connector.since'), <Moment key="since" at={connectedSince} />],
        [t('proxy.connector.connections'), connections],
        ...connectors.map(
          (one, index) =>
            [
              connectors.length > 1
                ? t('proxy.connector.numbered', { number: index + 1 })
                : t('proxy.connector.program'),
              <span key={one.connectedSince} className={styles.mono}>
                {[one.version, one.arch, one.address].filter(Boolean).join(' · ')}
              </span>,
            ] as const,
        ),
      ]}
    />
  );
}
