import { isIP, isIPv6 } from 'node:net';
import { createJudge } from '@talpa/access/judge';
import { accessPolicy } from '@talpa/contracts/access-policy';
import type { Sql } from '@talpa/service-kit/database/sql';

/** A public port and where it leads. */
export interface GamePort {
  readonly id: number;
  /** Another one after each change of the row. */
  readonly version: string;
  readonly publicPort: number;
  /** What the connector dials: an address with a port. Null: the row holds no address, which no connector takes. */
  readonly target: string | null;
  /** Whose port it is; null: nobody knows it any more. */
  readonly proxyId: string | null;
  /** Null: the proxy has no tunnel now. */
  readonly tunnelId: string | null;
  /** The proxy or its owner is suspended: nobody is let in. */
  readonly isSuspended: boolean;
  /** As JSON. */
  readonly rules: string;
  /** Whether the rules let an address in. @param now by `Date.now()` */
  readonly allows: (address: string, now?: number) => boolean;
  /** Not everyone is let in. */
  readonly isRestricted: boolean;
  /** Somebody whom the rules let in now may have to leave later without a change of them. */
  readonly expires: boolean;
  /** The connection begins with the visitor's address. */
  readonly proxyProtocol: boolean;
}

interface Row
  extends Pick<
    GamePort,
    'id' | 'version' | 'publicPort' | 'proxyId' | 'tunnelId' | 'isSuspended' | 'proxyProtocol'
  > {
  /** Null: the row is as it was. */
  readonly rules: string | null;
  readonly targetHost: string;
  readonly targetPort: number;
}

/**
 * Reads all game ports, of those that have not changed no rules: they may be long, and this is done each second. The row's xmin is the
 * transaction that wrote it last.
 * @param known those that were read last
 */
export async function findGamePorts(
  sql: Sql,
  known: ReadonlyMap<number, GamePort>,
): Promise<Map<number, GamePort>> {
  const ids = [...known.values()].map(({ id }) => id);
  const versions = [...known.values()].map(({ version }) => version);
  const rows = await sql<Row[]>`
    select game_ports.id, game_ports.xmin::text as version, public_port, target_host, target_port, proxy_protocol,
      case when known.version is distinct from game_ports.xmin::text then rules::text end as rules,
      proxies.uuid as proxy_id, applied ->> 'tunnelId' as tunnel_id,
      coalesce(suspended_at, owner_suspended_at) is not null as is_suspended
    from proxies.game_ports left join proxies.proxies on proxies.id = game_ports.proxy_id
      left join unnest(${ids}::bigint[], ${versions}::text[]) as known (id, version) on known.id = game_ports.id
    where game_ports.removed_at is null`;
  return new Map(rows.map((row) => [row.publicPort, gamePortOf(row, known.get(row.publicPort))]));
}

function gamePortOf({ targetHost, targetPort, ...row }: Row, known: GamePort | undefined): GamePort {
  const rules = row.rules ?? known?.rules ?? 'null';
  const { allows, isRestricted, expires } = known?.rules === rules ? known : readRules(rules);
  return { ...row, target: targetOf(targetHost, targetPort), rules, allows, isRestricted, expires };
}

function targetOf(host: string, port: number): string | null {
  if (isIP(host) === 0) return null;
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** What is no policy for a connection without a path lets nobody in: rules of paths, a wall, an unknown kind. */
export function readRules(text: string): Pick<GamePort, 'allows' | 'isRestricted' | 'expires'> {
  const stored: unknown = JSON.parse(text);
  const { data } = accessPolicy.safeParse(stored);
  const isReadable =
    data?.kind === 'open' || (data?.kind === 'rules' && data.rules.every(({ match }) => match.by !== 'path'));
  if (!isReadable) return { allows: () => false, isRestricted: true, expires: false };
  const judge = createJudge(stored);
  return {
    isRestricted: data.kind !== 'open',
    allows: (address, now) => judge({ address, path: '/' }, now).outcome === 'allow',
    expires: data.kind === 'rules' && data.rules.some(({ expiresAt }) => expiresAt !== null),
  };
}
