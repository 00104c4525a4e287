import { setTimeout as pass } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import type { Log } from '@talpa/service-kit/log';
import { Http2Connection } from '../http2/connection.ts';
import { edgeMeter } from '../metrics.ts';
import type { RemoteConfiguration } from './configuration.ts';
import { ConnectorConnection, openControlStream } from './connection.ts';
import { ProtocolError } from './protocol/error.ts';
import {
  methods,
  type RegisterResponse,
  readRegisterRequest,
  registrationServer,
  writeRegisterResponse,
} from './protocol/registration.ts';
import { type Method, serveRpc } from './protocol/rpc.ts';
import { Refusal, type RegisterContext, register } from './register.ts';
import { removeConnection, storeConfigVersion } from './rows.ts';

export interface AcceptContext extends RegisterContext {
  readonly log: Log;
  /** Connections that have said good-bye and finish what runs; they have no row any more. */
  readonly leaving: Set<ConnectorConnection>;
  /** Called after COMMIT, when a tunnel has a connection more or less. */
  readonly changed: (tunnelId: string) => void;
  /** A connector has so long to register, in ms. */
  readonly registerTimeoutMs: number;
  /** A connector that leaves has so long for what runs, in ms. */
  readonly drainMs: number;
}

/** After a refusal: the response is sent before the socket goes. */
const refusedMs = 1_000;
/**
 * cloudflared ignores when it may come again, and with the wrong token it comes forever, twice a second with TUNNEL_RETRIES=0.
 * It waits for a response for 5 s.
 */
const hopelessMs = 3_000;

/**
 * Takes a connector's socket after TLS: opens the control stream and serves the registration on it.
 * @param onRegistered called when it has proved itself.
 */
export function acceptConnector(context: AcceptContext, socket: TLSSocket, onRegistered: () => void): void {
  const { log, registry } = context;
  const originIp = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const http2 = new Http2Connection(socket);
  const timer = setTimeout(() => {
    log.info({ originIp, reason: 'Registration took too long' }, 'connector refused');
    edgeMeter.connectorRefused('late');
    http2.destroy();
  }, context.registerTimeoutMs);
  let isRegistering = false;
  let connection: ConnectorConnection | undefined;
  http2.once('close', () => {
    clearTimeout(timer);
    if (http2.error)
      log.debug({ err: http2.error, originIp }, 'connector disconnected: its connection broke');
    if (!connection) return;
    context.leaving.delete(connection);
    forget(context, connection);
  });

  const registerConnection: Method = async (params) => {
    if (isRegistering) throw new ProtocolError('registered twice');
    isRegistering = true;
    const request = readRegisterRequest(params);
    let response: RegisterResponse;
    try {
      const registered = await register(context, request, originIp);
      context.changed(request.tunnelId);
      connection = new ConnectorConnection(registered.id, request, http2);
      if (http2.closed) forget(context, connection);
      else {
        clearTimeout(timer);
        registry.add(connection);
        onRegistered();
        push(context, connection, registered.configuration);
      }
      const { id: connectionId, remotelyManaged } = registered;
      response = { connectionId, location: context.location, remotelyManaged };
    } catch (error) {
      const facts = { tunnelId: request.tunnelId, originIp };
      if (error instanceof Refusal) log.info({ ...facts, reason: error.message }, 'connector refused');
      else log.error({ ...facts, err: error }, 'connector could not be registered: internal error');
      edgeMeter.connectorRefused(error instanceof Refusal ? 'refused' : 'failed');
      response = refusalOf(error);
      clearTimeout(timer);
      if (error instanceof Refusal && error.retryAfterMs === null) await pass(hopelessMs);
      closeSoon(http2);
    }
    return (payload) => writeRegisterResponse(payload, response);
  };
  const rpc = serveRpc((message) => void control.write(message), {
    interfaceId: registrationServer,
    methods: {
      [methods.registerConnection]: registerConnection,
      [methods.unregisterConnection]: async () => {
        if (connection) leave(context, connection);
        else closeSoon(http2);
        return undefined;
      },
      // A connector that keeps its configuration itself sends it; we do not need it.
      [methods.updateLocalConfiguration]: async () => undefined,
    },
    onEnd: (error) => {
      if (error)
        log.warn({ reason: error.message, originIp }, 'connector disconnected: it sent an invalid message');
      if (error || !connection) http2.destroy();
      else leave(context, connection);
    },
  });
  const control = openControlStream(http2, {
    onResponse: () => {},
    onData: rpc.take,
    onEnd: rpc.end,
    onClose: rpc.end,
  });
}

function refusalOf(error: unknown): RegisterResponse {
  if (!(error instanceof Refusal)) return { cause: 'Internal error', retryAfterMs: 5_000, shouldRetry: true };
  return {
    cause: error.message,
    retryAfterMs: error.retryAfterMs ?? 0,
    shouldRetry: error.retryAfterMs !== null,
  };
}

/** The refused connector would keep its connection open. */
function closeSoon(http2: Http2Connection): void {
  const timer = setTimeout(() => http2.destroy(), refusedMs);
  http2.once('close', () => clearTimeout(timer));
}

/** Sends a configuration and takes down what the connector works with. */
export function push(
  { sql, log }: AcceptContext,
  connection: ConnectorConnection,
  configuration: RemoteConfiguration | null,
): void {
  if (!configuration) return;
  connection
    .configure(configuration)
    .then((version) => (version === null ? undefined : storeConfigVersion(sql, connection.id, version)))
    .catch((error: unknown) =>
      log.warn({ err: error, tunnelId: connection.tunnelId }, 'connector rejected its configuration'),
    );
}

/** The connector says good-bye: the panel shows its connection gone at once, what runs on it may finish. */
function leave(context: AcceptContext, connection: ConnectorConnection): void {
  takeLeave(context, connection, context.drainMs);
  removeRow(context, connection);
}

/** Gives a connection no new requests; it closes when what runs on it has ended, or after `deadlineMs`. */
export function takeLeave(
  { registry, leaving }: Pick<AcceptContext, 'registry' | 'leaving'>,
  connection: ConnectorConnection,
  deadlineMs: number | null,
): void {
  connection.drain(deadlineMs);
  registry.remove(connection);
  if (!connection.closed) leaving.add(connection);
}

function forget(context: AcceptContext, connection: ConnectorConnection): void {
  context.registry.remove(connection);
  removeRow(context, connection);
}

/** What cannot be removed now is no longer confirmed, and goes with the dead. */
function removeRow({ sql, log, changed }: AcceptContext, { tunnelId, id }: ConnectorConnection): void {
  removeConnection(sql, tunnelId, id).then(
    () => changed(tunnelId),
    (error: unknown) =>
      log.warn(
        { err: error, tunnelId },
        'row of a closed connection could not be deleted, it expires by itself',
      ),
  );
}
