import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestConnector } from '@talpa/test-kit/connector/connector';
import { temporaryHome } from '@talpa/test-kit/home';
import { startTestTalpa } from '@talpa/test-kit/system';

const linksEach = 4;
const atOnce = 8;

/**
 * What idle connectors cost the edge: a tunnel each, four connections each, in a running Talpa. Prints the
 * process's memory before and with them.
 */
export async function measureIdleConnectors({ connectors: count }: { connectors: number }): Promise<void> {
  const home = temporaryHome();
  const talpa = await startTestTalpa(home, { EDGE_CONNECTOR_PENDING_LIMIT: '1000', LOG_LEVEL: 'warn' });
  const { edge, secrets, providerUrl, parts } = talpa;
  if (!edge || !providerUrl) throw new Error('there is no edge');
  const megabytes = () => {
    const status = readFileSync(`/proc/${parts.get('edge')?.pid()}/status`, 'utf8');
    return Math.round(Number(status.match(/VmRSS:\s+(\d+)/)?.[1]) / 1_024);
  };

  const newToken = async (number: number): Promise<string> => {
    const response = await fetch(`${providerUrl}/accounts/${secrets.installationId}/cfd_tunnel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secrets.providerToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `bench-${number}`, config_src: 'cloudflare' }),
    });
    return ((await response.json()) as { result: { token: string } }).result.token;
  };
  const ca = readFileSync(edge.authorityFile, 'utf8');
  const before = megabytes();
  const began = Date.now();
  const waiting = Array.from({ length: count }, (_, number) => number);
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
        const token = await newToken(number);
        await startTestConnector({
          port: edge.connectorPort,
          ca,
          token,
          onStream: (stream) => stream.close(),
        });
      }
    }),
  );
  const seconds = Math.round((Date.now() - began) / 1_000);
  await sleep(20_000);
  const after = megabytes();
  console.log(
    `${count} connectors, ${count * linksEach} connections in ${seconds} s: ${before} MB before, ${after} MB with them, ` +
      `${(((after - before) * 1_024) / count).toFixed(0)} kB a connector`,
  );
  await talpa.stop();
  rmSync(home, { recursive: true, force: true });
}
