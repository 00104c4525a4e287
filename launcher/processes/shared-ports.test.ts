import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { bindSharedPorts } from './shared-ports.ts';

it('a port that another program has is refused by its setting, and no other port stays bound', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port: freed } = free.address() as AddressInfo;
  await new Promise((done) => free.close(done));
  const host = '127.0.0.1';
  await expect(bindSharedPorts({ FIRST: { host, port: freed }, SECOND: { host, port } })).rejects.toThrow(
    `SECOND: port ${port} on 127.0.0.1 cannot be opened (EADDRINUSE).`,
  );
  const again = createServer().listen(freed, host);
  await once(again, 'listening');
  again.close();
  taken.close();
});
