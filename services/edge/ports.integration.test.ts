import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { certificateFiles } from '@talpa/test-kit/certificate';
import { useEdge } from '@talpa/test-kit/edge';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { useStores } from '@talpa/test-kit/stores';
import { expect, it } from 'vitest';

const provider = useProvider(useStores());
const test = useEdge(provider);

it('an edge whose port is taken says which setting chose it, and leaves no port and no epoch behind', async () => {
  const { folder, certFile, keyFile } = certificateFiles();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const more = { EDGE_TLS_CERT: certFile, EDGE_TLS_KEY: keyFile, EDGE_PEER_SECRET: 'x'.repeat(32) };
  const before = process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
  for (const setting of ['EDGE_CONNECTOR_PORT', 'EDGE_PEER_PORT', 'EDGE_HTTP_PORT', 'EDGE_HTTPS_PORT'])
    await expect(test.another({ ...more, [setting]: String(port) })).rejects.toThrow(
      `${setting}: port ${port} on 127.0.0.1 is already in use by another process (EADDRINUSE)`,
    );
  expect(process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap')).toHaveLength(before);
  expect(await provider.edgeSql`select 1 from tunnel_provider.edge_epochs`).toHaveLength(1);
  expect(await provider.edgeSql`select 1 from edges`).toHaveLength(0);
  other.close();
  rmSync(folder, { recursive: true });
});
