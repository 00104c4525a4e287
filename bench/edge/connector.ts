import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { startTestConnector } from '@talpa/test-kit/connector/connector';
import { type OnStream, responseHead } from '@talpa/test-kit/tunnel-connection';

/** Our own connector, for a machine without cloudflared: it keeps its connections to the origin. */
const [port, caFile = '', token = '', originPort] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

const onStream: OnStream = (stream, headers) => {
  const { ':method': method, ':path': path, 'content-length': length } = headers;
  const isWebSocket = headers['cf-cloudflared-proxy-connection-upgrade'] === 'websocket';
  const request = httpRequest({
    port: Number(originPort),
    host: '127.0.0.1',
    agent: isWebSocket ? false : agent,
    method,
    path,
    headers: {
      ...(length === undefined ? {} : { 'content-length': length }),
      ...(isWebSocket
        ? { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': headers['sec-websocket-key'] }
        : {}),
    },
  });
  request.on('error', () => stream.close(2));
  stream.on('close', () => request.destroyed || request.destroy());
  request.on('response', (response) => {
    stream.respond(responseHead(response.statusCode ?? 0, response.rawHeaders));
    response.pipe(stream);
  });
  request.on('upgrade', (response, socket) => {
    stream.respond(responseHead(200, response.rawHeaders));
    stream.pipe(socket).pipe(stream);
    socket.on('error', () => stream.close(2));
  });
  if (stream.endAfterHeaders || isWebSocket) request.end();
  else stream.pipe(request);
};

await startTestConnector({ port: Number(port), ca: readFileSync(caFile, 'utf8'), token, onStream });
process.send?.({ port: 0 });
process.on('disconnect', () => process.exit(0));
