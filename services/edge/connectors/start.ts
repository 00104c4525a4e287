import type { Sql } from '@talpa/service-kit/database/sql';
import type { Log } from '@talpa/service-kit/log';
import type { Subscriber } from '../changes/feed.ts';
import { type AcceptContext, acceptConnector, push, takeLeave } from './accept.ts';
import { readAuthority } from './authority.ts';
import { findConfiguration, findVersions, isSuspended } from './configuration.ts';
import type { ConnectorConnection } from './connection.ts';
import { inTurns } from './in-turns.ts';
import { listenForConnectors } from './listen.ts';
import { Registry } from './registry.ts';
import { confirmConnections, findGone, removeConnections, removeDead } from './rows.ts';

export interface ConnectorSettings {
  readonly EDGE_CONNECTOR_HOST: string;
  readonly EDGE_CONNECTOR_PORT: number;
  readonly EDGE_CONNECTOR_PENDING_LIMIT: number;
  readonly EDGE_CONNECTOR_PING_MS: number;
  readonly EDGE_CONNECTOR_REGISTER_MS: number;
  readonly EDGE_CONNECTOR_DRAIN_MS: number;
  readonly EDGE_LOCATION: string;
  readonly EDGE_CA_FILE?: string | undefined;
  readonly EDGE_CA_KEY_FILE?: string | undefined;
}

export interface ConnectorParts {
  readonly sql: Sql;
  /** The `edge_id` in the rows of the connections held here. */
  readonly edgeId: string;
  readonly log: Log;
  /** Called after COMMIT, when a tunnel has a connection more or less. */
  readonly changed: (tunnelId: string) => void;
}

/** The connectors' side of a running edge. */
export interface ConnectorSide {
  readonly port: number;
  readonly registry: Registry<ConnectorConnection>;
  /** The authority's certificate as PEM, for connectors to trust. */
  readonly certificate: string;
  /** To be called with what changes. */
  readonly changes: Subscriber;
  /** Takes no new connections; those that are there go on. */
  close(): void;
  /** Has every connector go elsewhere: from a connection at rest at once, else when what runs on it has ended. */
  sendAway(): void;
  /** Ends every connection and removes its row. */
  stop(): Promise<void>;
}

const confirmMs = 5_000;

/** Listens for connectors. @throws Error when the port is taken or the authority cannot be read */
export async function startConnectorSide(
  settings: ConnectorSettings,
  parts: ConnectorParts,
): Promise<ConnectorSide> {
  const { sql, edgeId, log, changed } = parts;
  const registry = new Registry<ConnectorConnection>();
  const leaving = new Set<ConnectorConnection>();
  const context: AcceptContext = {
    ...parts,
    registry,
    leaving,
    location: settings.EDGE_LOCATION,
    registerTimeoutMs: settings.EDGE_CONNECTOR_REGISTER_MS,
    drainMs: settings.EDGE_CONNECTOR_DRAIN_MS,
  };
  const { EDGE_CA_FILE: certificateFile, EDGE_CA_KEY_FILE: keyFile } = settings;
  if (!certificateFile || !keyFile) throw new Error('EDGE_CA_FILE or EDGE_CA_KEY_FILE is missing');
  const authority = await readAuthority(certificateFile, keyFile);

  const reconfigure = async (tunnelId: string) => {
    const leavingIt = [...leaving].filter((one) => one.tunnelId === tunnelId);
    const held = registry.of(tunnelId);
    if (held.length + leavingIt.length === 0) return;
    const configuration = await findConfiguration(sql, tunnelId);
    // A configuration goes with its tunnel alone.
    if (!configuration || isSuspended(configuration))
      for (const one of [...held, ...leavingIt]) one.destroy();
    else for (const one of held) push(context, one, configuration);
  };
  const attempt = (work: Promise<unknown>, what: string) =>
    work.catch((error: unknown) => log.warn({ err: error }, what));
  /** Compares what is held with what may be held, whatever was missed. */
  const confirm = async () => {
    const held = registry.all();
    const allowed = await confirmConnections(sql, edgeId);
    for (const one of held) if (!allowed.has(one.id)) one.destroy();
    for (const tunnelId of await removeDead(sql)) changed(tunnelId);
    for (const { tunnelId, version } of await findVersions(sql, registry.tunnelIds()))
      if (registry.of(tunnelId).some(({ configVersion }) => configVersion < version))
        await reconfigure(tunnelId);
  };
  /** Every role of the database can say that a connection is gone: only a row that is missing counts. */
  const checkGone = inTurns(async (ids) => {
    // `confirm` finds what could not be read.
    const held = ids.filter((id) => registry.get(id));
    if (held.length > 0) for (const gone of await findGone(sql, held)) registry.get(gone)?.destroy();
  });
  const reconfigureInTurn = inTurns(async (tunnelIds) => {
    for (const tunnelId of tunnelIds) await reconfigure(tunnelId);
  });
  const removeAll = async () => {
    for (const tunnelId of await removeConnections(sql, edgeId)) changed(tunnelId);
  };
  let isSendingAway = false;
  const sendAway = () => {
    isSendingAway = true;
    for (const one of registry.all()) takeLeave(context, one, null);
    void attempt(removeAll(), 'rows of closed connections could not be deleted, they expire by themselves');
  };
  let isConfirming = false;
  const confirmNow = () => {
    if (isConfirming) return;
    isConfirming = true;
    void attempt(confirm(), 'connection rows could not be confirmed, retrying').finally(() => {
      isConfirming = false;
    });
  };

  const listener = await listenForConnectors(
    {
      host: settings.EDGE_CONNECTOR_HOST,
      port: settings.EDGE_CONNECTOR_PORT,
      pendingLimit: settings.EDGE_CONNECTOR_PENDING_LIMIT,
    },
    authority,
    log,
    (socket, registered) =>
      acceptConnector(context, socket, () => {
        registered();
        // It had come before the listener was closed.
        if (isSendingAway) sendAway();
      }),
  );
  const confirmTimer = setInterval(confirmNow, confirmMs);
  const pingTimer = setInterval(() => {
    for (const one of registry.all())
      void one.isAlive(settings.EDGE_CONNECTOR_PING_MS).then((alive) => alive || one.destroy());
  }, settings.EDGE_CONNECTOR_PING_MS);
  return {
    port: listener.port,
    registry,
    certificate: authority.certificate,
    changes: {
      gone: (id) => void attempt(checkGone(id), 'a connection could not be checked'),
      config: (tunnelId) =>
        void attempt(reconfigureInTurn(tunnelId), 'changed tunnel configuration could not be read, retrying'),
      missed: confirmNow,
    },
    close: listener.close,
    sendAway,
    stop: async () => {
      listener.close();
      clearInterval(confirmTimer);
      clearInterval(pingTimer);
      for (const one of [...registry.all(), ...leaving]) one.destroy();
      await removeAll();
    },
  };
}
