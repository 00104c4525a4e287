import { useProvider } from '@talpa/test-kit/embedded-provider';
import { officialFailure, officialResponses } from '@talpa/test-kit/official-schemas';
import { useStores } from '@talpa/test-kit/stores';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createProvider } from './client.ts';
import type { OperationName } from './operations.ts';

const stores = useStores();
const embedded = useProvider(stores);
const account = '/client/v4/accounts/account1/cfd_tunnel';
const zone = '/client/v4/zones/zone1/dns_records';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Lets calls through and keeps their responses. */
function keepResponses(): unknown[] {
  const { fetch } = globalThis;
  const kept: unknown[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...call) => {
    const response = await fetch(...call);
    kept.push(await response.clone().json());
    return response;
  });
  return kept;
}

/** Makes every call that our own provider is asked, each once, and gives its response. */
async function allResponses(): Promise<Record<Exclude<OperationName, 'get zone'>, unknown>> {
  const provider = createProvider(embedded.settings);
  const kept = keepResponses();
  const last = async (call: Promise<unknown>) => {
    await call;
    return kept.at(-1);
  };
  const make = await last(provider.createTunnel('talpa-a'));
  const { id } = (make as { result: { id: string } }).result;
  await embedded.edgeSql`
    insert into tunnel_provider.connections (id, tunnel_id, client_id, client_version, arch, colo_name, origin_ip,
      run_at)
    values (gen_random_uuid(), ${id}, gen_random_uuid(), '2026.8.2', 'linux_amd64', 'edge', '127.0.0.1', now())`;
  const rule = {
    ...{ hostname: 'a.example.com', origin: 'https://127.0.0.1:8443' },
    originOptions: {
      ...({ verifyCertificate: false, http2Origin: true } as const),
      ...{ originServerName: 'panel.example.com', httpHostHeader: 'panel.example.com' },
    },
  };
  const names = ['a.example.com', `${id}.cfargotunnel.com`, 'talpa a'] as const;
  const createRecord = await last(provider.createRecord(...names));
  const recordId = (createRecord as { result: { id: string } }).result.id;
  return {
    'create tunnel': make,
    'put configuration': await last(provider.putConfiguration(id, [rule])),
    'list tunnels': await last(provider.findTunnels('talpa-')),
    'get tunnel': await last(provider.getTunnel(id)),
    'list connections': await last(provider.listConnectors(id)),
    'get token': await last(provider.getToken(id)),
    'create record': createRecord,
    'list records': await last(provider.findRecords({ commentPrefix: 'talpa ' })),
    'replace record': await last(provider.replaceRecord(recordId, ...names)),
    'delete record': await last(provider.deleteRecord(recordId)),
    'rotate secret': await last(provider.rotateSecret(id)),
    'drop connections': await last(provider.dropConnections(id)),
    'delete tunnel': await last(provider.deleteTunnel(id)),
  };
}

describe('our own provider responds as Cloudflare’s descriptions say', () => {
  it('to every call it is asked', async () => {
    const responses = await allResponses();
    const faults = Object.entries(responses).flatMap(([operation, response]) => {
      const { error } = officialResponses[operation as keyof typeof responses].safeParse(response);
      return error ? [`${operation}: ${error.message}`] : [];
    });
    expect(faults).toEqual([]);
    expect(Object.keys(responses).sort()).toEqual(Object.keys(officialResponses).sort());
  });

  it('to every call that fails', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const path of [
      '/client/v4/nothing',
      `${account}/${unknown}`,
      `${account}/nonsense`,
      `${zone}?page=0`,
    ]) {
      const { status, body } = await embedded.send('GET', path);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(officialFailure.safeParse(body).error).toBeUndefined();
    }
  });
});

describe('a filter that our own provider does not know', () => {
  it.each([
    `${account}?existed_at=2026-11-03T08:15:00Z`,
    `${account}?was_active_at=2026-11-03T08:15:00Z`,
    `${account}?nonsense=1`,
    `${zone}?match=any`,
    `${zone}?comment.absent=`,
    `${zone}?tag.exact=a:b`,
    `${zone}?search=a`,
  ])('is refused and not ignored: %s', async (path) => {
    const { status, body } = await embedded.send('GET', path);
    expect([status, body.success]).toEqual([400, false]);
  });
});
