import { Agent, request as httpRequest } from 'node:http';
import { performServerHandshake } from 'node:http2';
import { connect } from 'node:net';
import { responseHead } from '@talpa/test-kit/tunnel-connection';

/** Stands for the connector: four connections to the edge, kept ones to the origin. */
const [edgePort, originPort] = process.argv.slice(2).map(Number);
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

for (let index = 0; index < 4; index += 1) {
  const socket = connect(edgePort ?? 0, '127.0.0.1');
  socket.setNoDelay(true);
  socket.once('connect', () => {
    const settings = { initialWindowSize: 4_194_304, maxFrameSize: 65_536 };
    const session = performServerHandshake(socket, { settings, maxSessionMemory: 256 });
    session.on('error', () => {});
    session.setLocalWindowSize(16_777_216);
    session.on('stream', (stream, headers) => {
      stream.on('error', () => {});
      const { ':method': method, ':path': path, 'content-length': length } = headers;
      const asked = httpRequest({
        port: originPort,
        host: '127.0.0.1',
        agent,
        method,
        path,
        headers: length === undefined ? {} : { 'content-length': length },
      });
      asked.on('error', () => stream.close(2));
      asked.on('response', (response) => {
        stream.respond(responseHead(response.statusCode ?? 0, response.rawHeaders));
        response.pipe(stream);
      });
      if (stream.endAfterHeaders) asked.end();
      else stream.pipe(asked);
    });
    if (index === 3) process.send?.({ ready: true });
  });
}
process.on('disconnect', () => process.exit(0));
