import type { ConnectorSignal, ProxyConfig, Server } from '@talpa/contracts';
import { type Fact, Facts, Tag } from '@talpa/panel-kit/ui';
import { useUserTexts } from '../texts/user-texts.ts';
import { Moment } from './moment.tsx';
import styles from './proxy.module.css';

/** Whether the status beside the title says already that a connector is, or is not, connected. */
function isInStatus(of: ProxyConfig | Server, isConnected: boolean): boolean {
  const saysMore = 'suspension' in of && (of.suspension !== null || of.changePending);
  return !saysMore && of.status === (isConnected ? 'active' : 'inactive');
}

/** Who is connected to the tunnel, from where and since when. */
export function ConnectorFacts(props: {
  readonly connector: ConnectorSignal | null;
  /** Whose status stands beside the title. */
  readonly of: ProxyConfig | Server;
}) {
  const t = useUserTexts();
  const { connector, of } = props;
  if (!connector) return <p className={styles.note}>{t('proxy.connector.unknown')}</p>;
  const { connectedSince, lastSeenAt, connections, connectors, degraded } = connector;
  const isConnected = connectedSince !== null;
  const facts: Fact[] = [];
  if (!isInStatus(of, isConnected)) {
    const word = isConnected ? t('proxy.connector.connected') : t('proxy.connector.none');
    facts.push([t('proxy.state'), <Tag key="state">{word}</Tag>]);
    if (!isConnected && lastSeenAt)
      facts.push([t('proxy.connector.lastSeen'), <Moment key="seen" at={lastSeenAt} />]);
  }
  if (connectedSince)
    facts.push(
      [t('proxy.connector.since'), <Moment key="since" at={connectedSince} />],
      [
        t('proxy.connector.connections'),
        <span key="connections">
          {degraded && <Tag color="warning">{t('proxy.connector.degraded')}</Tag>} {connections}
        </span>,
      ],
    );
  for (const [index, one] of connectors.entries())
    facts.push([
      connectors.length > 1
        ? t('proxy.connector.numbered', { number: index + 1 })
        : t('proxy.connector.program'),
      <span key={one.connectedSince} className={styles.mono}>
        {[one.version, one.arch, one.address].filter(Boolean).join(' · ')}
      </span>,
    ]);
  return (
    <>
      {facts.length > 0 && <Facts facts={facts} />}
      {facts.length === 0 && <p className={styles.note}>{t('proxy.connector.waiting')}</p>}
    </>
  );
}
