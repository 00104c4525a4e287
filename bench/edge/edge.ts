import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createLog } from '@talpa/service-kit/log';
import { settingsOf } from '@talpa/test-kit/visitor-side';
import { HeaderLimitedSocket } from '../../services/edge/connectors/header-limited-socket.ts';
import { createTraffic } from '../../services/edge/traffic/traffic.ts';
import { startVisitorSide } from '../../services/edge/visitors/start.ts';

/**
 * The visitor's side alone, as it is in the product; connectors come without registering. With the argument 0 nothing
 * looks at their frames, to show what that costs.
 */
const isGuarded = process.argv[2] !== '0';
const sessions: ClientHttp2Session[] = [];
let turn = 0;
const connectors = createServer((socket: Socket) => {
  socket.setNoDelay(true);
  const session = connect('http://edge', {
    createConnection: () => (isGuarded ? new HeaderLimitedSocket(socket) : socket),
    settings: {
      enablePush: false,
      headerTableSize: 0,
      initialWindowSize: 4_194_304,
      maxFrameSize: 65_536,
    },
    maxSessionMemory: 256,
  });
  session.on('error', () => {});
  session.once('connect', () => session.setLocalWindowSize(16_777_216));
  sessions.push(session);
});
connectors.listen(0, '127.0.0.1');
await once(connectors, 'listening');
const side = await startVisitorSide(
  settingsOf({
    EDGE_REQUEST_LIMIT_PER_MINUTE: '100000000',
    EDGE_VISITOR_REQUEST_LIMIT_PER_MINUTE: '100000000',
    EDGE_VISITOR_CONNECTION_LIMIT: '1000000',
    EDGE_MUTATION_LIMIT_PER_MINUTE: '1000000',
    EDGE_BODY_LIMIT_BYTES: '4000000000',
  }),
  {
    findRoute: () => ({ tunnelId: 't1' }),
    isKnown: () => true,
    pick: () => {
      turn += 1;
      const session = sessions[turn % sessions.length];
      return session ? { openRequest: (headers, options) => session.request(headers, options) } : null;
    },
  },
  createTraffic(),
  createLog('edge', 'fatal'),
);
process.send?.({ port: side.httpPort, connectorPort: (connectors.address() as AddressInfo).port });
process.on('disconnect', () => process.exit(0));
