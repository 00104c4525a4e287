import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { NodeRedReport } from './node-red.ts';

/** The settings file of the Node-RED that tests start. It reports what reaches Node-RED to the test. */
const report = (message: NodeRedReport) => process.send?.(message);
const reportRequest = ({ url = '', headers }: IncomingMessage) => report({ kind: 'request', url, headers });
const watched = new WeakSet<Server>();

/** Node-RED lets its settings see requests, and no WebSocket: the server has them. */
function watchWebSockets(server: Server): void {
  if (watched.has(server)) return;
  watched.add(server);
  server.on('upgrade', (request, socket) => {
    reportRequest(request);
    report({ kind: 'opened' });
    socket.once('close', () => report({ kind: 'closed' }));
  });
}

// The test's process has ended.
process.once('disconnect', () => process.exit());

const settings = {
  uiHost: '127.0.0.1',
  httpAdminMiddleware: (request: IncomingMessage, _response: unknown, next: () => void) => {
    watchWebSockets((request.socket as Socket & { readonly server: Server }).server);
    reportRequest(request);
    next();
  },
  // How often it sends something to each of its WebSockets.
  webSocketKeepAliveTime: 200,
  telemetry: { enabled: false, updateNotification: false },
  editorTheme: { tours: false, palette: { catalogues: [] } },
  externalModules: { palette: { allowInstall: false }, modules: { allowInstall: false } },
  logging: { console: { level: 'info' } },
};

// What `require` gives: Node-RED adds fields of its own.
export { settings as 'module.exports' };
