import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@talpa/service-kit/log';
import { readSettings } from '@talpa/service-kit/settings';
import { afterAll, beforeAll } from 'vitest';
import { type Edge, startEdge } from '../../services/edge/app.ts';
import type { RequestsOut } from '../../services/edge/requests/hand-on.ts';
import { edgeSettingNames } from '../../services/edge/settings.ts';
import type { Front } from '../../services/edge/visitors/front.ts';
import type { TestProvider } from './embedded-provider.ts';
import { holdJobs, stopped } from './wait.ts';

/** A whole edge before a provider's tunnels. */
export interface TestEdge {
  readonly edge: Edge;
  /** The authority's certificate as PEM, and its file. */
  readonly ca: string;
  readonly caFile: string;
  /** Starts a further edge of the same installation; the caller stops it. */
  another(changes?: Record<string, string>, front?: Front | null): Promise<Edge>;
}

const log = createLog('edge', 'fatal');

/**
 * Starts an edge before a file's tests, on free ports. Its patience is the product's: a busy machine must drop no connector.
 * @param heldMs its jobs that come every so many ms hold still
 * @param requestsOut where it hands on what it recorded; left out: it records nothing
 */
export function useEdge(
  provider: TestProvider,
  changes: Record<string, string> = {},
  { heldMs, requestsOut }: { readonly heldMs?: number; readonly requestsOut?: RequestsOut } = {},
): TestEdge {
  const folder = mkdtempSync(join(tmpdir(), 'talpa-edge-'));
  const caFile = join(folder, 'edge-ca.pem');
  let edge: Edge | undefined;
  const started = () => {
    if (!edge) throw new Error('the edge has not been started');
    return edge;
  };
  const another = (more: Record<string, string> = {}, front: Front | null = null) => {
    const settings = readSettings(edgeSettingNames, {
      TUNNEL_PUBLIC_PORT: '0',
      EDGE_CONNECTOR_HOST: '127.0.0.1',
      EDGE_CONNECTOR_PORT: '0',
      EDGE_CA_FILE: caFile,
      EDGE_CA_KEY_FILE: join(folder, 'edge-ca.key'),
      EDGE_DRAIN_MS: '2000',
      ...changes,
      ...more,
    });
    const goOn = heldMs ? holdJobs(heldMs) : () => {};
    return startEdge(settings, { sql: provider.edgeSql, log, changed: () => {}, front, requestsOut }).finally(
      goOn,
    );
  };
  beforeAll(async () => {
    edge = await another();
  });
  afterAll(async () => {
    await stopped('the edge', edge?.stop());
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get edge() {
      return started();
    },
    get ca() {
      return started().connectors.certificate;
    },
    caFile,
    another,
  };
}
