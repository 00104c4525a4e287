import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { processNames } from '@talpa/instance/ports.mjs';
import { stopMs } from '@talpa/service-kit/process/stopping';
import { isSecret, knownSettings, readSettings, type SettingName } from '@talpa/service-kit/settings';
import { longestDrainMs } from '@talpa/service-kit/settings/edge';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { prepare } from '../../operator/commands/prepare.ts';
import { openInstance } from '../../operator/instance.ts';
import { processSettings } from '../settings/process-settings.ts';
import { loadFolder, manifestFaults, overlayFolder, overlays } from './check.ts';
import { flowsOf, podsOf } from './flows.ts';
import {
  containersOf,
  type Fields,
  fieldsOf,
  listOf,
  type Manifest,
  templateOf,
  textOf,
} from './manifest.ts';
import { madeMonitoring } from './monitoring.ts';
import { render } from './render.ts';

const needed: Readonly<Record<string, readonly SettingName[]>> = processSettings;
const find = (manifests: readonly Manifest[], kind: string, name: string) => {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  if (!found) throw new Error(`no ${kind} ${name}`);
  return found;
};
const containerOf = (manifest: Manifest): Fields => containersOf(templateOf(manifest) ?? {})[0] ?? {};
const processesOf = (manifests: readonly Manifest[]) =>
  manifests.filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name in needed);

describe('a broken manifest is refused', () => {
  const broken = async (kind: string, name: string, breakIt: (manifest: Manifest) => void) => {
    const manifests = render(overlayFolder('production'));
    breakIt(find(manifests, kind, name));
    return manifestFaults(manifests);
  };

  it('for a field that Kubernetes does not know, at any depth', async () => {
    const faults = await broken('Deployment', 'gateway', (manifest) => {
      fieldsOf(manifest.spec).replica = 2;
      fieldsOf(containerOf(manifest).readinessProbe).periodSecond = 3;
    });
    expect(faults).toEqual([
      'Deployment gateway: /spec/template/spec/containers/0/readinessProbe/periodSecond: unknown field',
      'Deployment gateway: /spec/replica: unknown field',
    ]);
  });

  it('for an unknown field of an operator’s own kind', async () => {
    const faults = await broken('Cluster', 'postgres', (manifest) => {
      fieldsOf(manifest.spec).instance = 3;
    });
    expect(faults).toEqual(['Cluster postgres: /spec/instance: unknown field']);
  });

  it('for what the k6 operator does not know, or its pods', async () => {
    const manifests = render(loadFolder);
    const { runner } = fieldsOf(find(manifests, 'TestRun', 'load').spec);
    Object.assign(fieldsOf(find(manifests, 'TestRun', 'load').spec), { parallel: 2 });
    Object.assign(listOf(fieldsOf(runner).volumeMounts)[0] ?? {}, { path: '/k6' });
    expect(await manifestFaults(manifests)).toEqual([
      'TestRun load: /spec: Unrecognized key: "parallel"',
      'TestRun load: /spec/template/spec/containers/0/volumeMounts/0/path: unknown field',
    ]);
  });

  it('for a value of the wrong type', async () => {
    const faults = await broken('Service', 'edge', (manifest) => {
      fieldsOf(listOf(fieldsOf(manifest.spec).ports)[0]).port = '80';
    });
    expect(faults.join()).toContain('Service edge: /spec/ports/0/port');
  });

  it('for a probe or a Service of a port that its container does not have', async () => {
    const faults = await broken('Deployment', 'gateway', (manifest) => {
      containerOf(manifest).ports = [{ name: 'metrics', containerPort: 9100 }];
    });
    expect(faults).toContain(
      'Deployment gateway: a probe names the port health, which the container does not have',
    );
    expect(faults).toContain('Service gateway: leads to the port http, which its pods do not have');
  });

  it('for figures under another job than alerts and the dashboard ask for', async () => {
    const manifests = render(overlayFolder('production'), ['../../components/monitoring']);
    expect(await manifestFaults(manifests)).toEqual([]);
    const [endpoint] = listOf(fieldsOf(find(manifests, 'PodMonitor', 'talpa').spec).podMetricsEndpoints);
    delete endpoint?.relabelings;
    expect(await manifestFaults(manifests)).toEqual([
      'PodMonitor talpa: does not give its pods the job talpa, by which alerts and dashboards ask for them',
    ]);
  });

  it('for a container whose hang nobody would notice', async () => {
    const manifests = render(overlayFolder('try-out'), []);
    containerOf(find(manifests, 'StatefulSet', 'redis')).livenessProbe = { tcpSocket: { port: 'redis' } };
    delete containerOf(find(manifests, 'StatefulSet', 'postgres')).livenessProbe;
    expect((await manifestFaults(manifests)).toSorted()).toEqual([
      'StatefulSet postgres: is not restarted when it hangs',
      'StatefulSet redis: is not restarted when it hangs',
    ]);
  });

  it('for a pod that may do more than it needs', async () => {
    const faults = await broken('Deployment', 'auth', (manifest) => {
      const pod = fieldsOf(templateOf(manifest)?.spec);
      pod.automountServiceAccountToken = true;
      pod.securityContext = {};
      containerOf(manifest).securityContext = { capabilities: { drop: ['NET_RAW'] } };
    });
    expect(faults).toEqual(
      [
        'may write to its root file system',
        'may gain privileges',
        'keeps capabilities',
        'may run as root',
        'has no seccomp profile',
        'is given a token of the Kubernetes API',
      ].map((fault) => `Deployment auth: ${fault}`),
    );
  });
});

it('gives the k6 operator every file of the scenarios, in its folder', () => {
  const { runner } = fieldsOf(find(render(loadFolder), 'TestRun', 'load').spec);
  const [scenarios] = listOf(fieldsOf(runner).volumes);
  const given = listOf(fieldsOf(scenarios?.configMap).items).map(({ key, path }) => [key, path]);
  const files = globSync('**/*.ts', { cwd: join(root, 'deploy/k6') });
  expect(given.toSorted()).toEqual(files.map((file) => [basename(file), file]).toSorted());
});

it('gives a cluster’s Prometheus and Grafana the same alerts and dashboard as Compose’s', () => {
  const read = (file: string) => readFileSync(join(root, 'deploy/observability', file), 'utf8');
  const made = madeMonitoring();
  const { groups } = parse(read('prometheus/rules.yml'));
  expect(find(made, 'PrometheusRule', 'talpa').spec).toEqual({ groups });
  const { data } = find(made, 'ConfigMap', 'talpa-dashboard');
  expect(data).toEqual({ 'talpa.json': read('grafana/dashboards/talpa.json') });
});

describe.each(overlays)('the overlay %s', (name) => {
  const manifests = render(overlayFolder(name));
  const settings = fieldsOf(find(manifests, 'ConfigMap', 'talpa-settings').data) as Record<string, string>;
  let folder: string;
  const before = { ...process.env };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'talpa-kubernetes-'));
    for (const place of [...processNames, 'nats', 'redis', 'postgres'])
      mkdirSync(join(folder, 'out', place), { recursive: true });
    Object.assign(process.env, settings, {
      SECRETS_OUT: join(folder, 'out'),
      TALPA_HOME: join(folder, 'home'),
    });
    if (settings.TUNNEL_PROVIDER === 'cloudflare')
      Object.assign(process.env, {
        CLOUDFLARE_API_TOKEN: 'token',
        CLOUDFLARE_ACCOUNT_ID: 'account',
        CLOUDFLARE_ZONE_ID: 'zone',
      });
    const instance = openInstance(process.env);
    await prepare.run({ words: [], options: {}, instance, log: () => {} });
  });
  afterAll(() => {
    for (const key of Object.keys(process.env)) if (!(key in before)) delete process.env[key];
    Object.assign(process.env, before);
    rmSync(folder, { recursive: true, force: true });
  });

  /** What the container's environment says, as far as it is known before it runs. */
  const environmentOf = (manifest: Manifest) =>
    Object.fromEntries(
      listOf(containerOf(manifest).env).map(({ name: key, value }) => [
        textOf(key),
        textOf(value) || '10.0.0.1',
      ]),
    );

  it('gives each process every setting it needs', () => {
    for (const manifest of processesOf(manifests)) {
      const process = manifest.metadata.name;
      const mounted = listOf(fieldsOf(templateOf(manifest)?.spec).volumes).find(
        ({ name: key }) => key === 'settings',
      );
      expect(fieldsOf(mounted?.secret).secretName).toBe(`talpa-${process}`);
      const given = {
        ...settings,
        ...environmentOf(manifest),
        SETTINGS_FOLDER: join(folder, 'out', process),
      };
      expect(() => readSettings(needed[process] ?? [], given)).not.toThrow();
    }
  });

  it('names no setting that does not exist, and no secret', () => {
    const named = [
      ...Object.keys(settings),
      ...processesOf(manifests).flatMap((one) => Object.keys(environmentOf(one))),
    ];
    expect(named.filter((key) => key !== 'POD_IP' && !(key in knownSettings))).toEqual([]);
    expect(named.filter(isSecret)).toEqual([]);
  });

  it('gives frontends no secret', () => {
    for (const frontend of ['shell', 'user', 'admin']) {
      const pod = JSON.stringify(templateOf(find(manifests, 'Deployment', frontend)));
      expect(pod).not.toMatch(/secret(Name|Ref|KeyRef)/);
    }
  });

  it('leads to the ports that its processes listen on', () => {
    const ports = (process: string) =>
      listOf(containerOf(find(manifests, 'Deployment', process)).ports).map(
        ({ containerPort }) => containerPort,
      );
    for (const manifest of processesOf(manifests)) {
      const settings = Object.entries(environmentOf(manifest)).filter(([key]) => /(^|_)PORT$/.test(key));
      // HEALTH_PORT and METRICS_PORT are the image's.
      const listened = [...settings.map(([, value]) => Number(value)), 9090, 9100].toSorted();
      expect(ports(manifest.metadata.name).toSorted()).toEqual(listened);
    }
  });

  it('lets pods speak to exactly whom they need', () => {
    const own = podsOf(manifests);
    const outside = [
      { name: 'postgres', labels: { 'app.kubernetes.io/name': 'postgres', 'cnpg.io/cluster': 'postgres' } },
      { name: 'nats', labels: { 'app.kubernetes.io/name': 'nats' } },
    ].filter(({ name: store }) => own.every((pod) => pod.name !== store));
    const { started, ended } = flowsOf(manifests, [...own, ...outside]);
    const stores = { DATABASE_URL: 'postgres:5432', NATS_URL: 'nats:4222', REDIS_URL: 'redis:6379' };
    const running = processesOf(manifests).map(({ metadata }) => metadata.name);
    const embedded = running.includes('tunnel-provider');
    const expected = [
      ...running.flatMap((process) =>
        Object.entries(stores).flatMap(([setting, store]) =>
          needed[process]?.includes(setting as SettingName) ? [`${process} → ${store}`] : [],
        ),
      ),
      ...['migrate', 'operator'].flatMap((job) => [`${job} → postgres:5432`, `${job} → nats:4222`]),
      'first-admin → nats:4222',
      ...['shell', 'user', 'admin'].map((frontend) => `gateway → ${frontend}:8080`),
      ...(embedded ? ['tunnel-worker → tunnel-provider:8090', 'edge → edge:7845'] : []),
      ...outside.flatMap(({ name: store }) =>
        store === 'nats' ? ['nats → nats:6222'] : ['postgres → postgres:5432', 'postgres → postgres:8000'],
      ),
    ].toSorted();
    expect(started).toEqual(expected);
    expect(ended).toEqual(expected);
    // A pod that no policy selects would be open.
    const { spec } = find(manifests, 'NetworkPolicy', 'nothing-else');
    expect(spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  it('refers to Secrets that make-secrets makes, or that are certificates', () => {
    const text = JSON.stringify(manifests);
    const referred = [...text.matchAll(/"secretName":"([^"]+)"/g)].map(([, secret = '']) => secret);
    const made = [...readdirSync(join(folder, 'out')), 'operator', 'first-admin', 'home'].map(
      (one) => `talpa-${one}`,
    );
    expect(referred.filter((secret) => ![...made, 'tunnel-tls', 'panel-tls'].includes(secret))).toEqual([]);
  });

  it('waits for the end of what runs as long as a process may take', () => {
    for (const manifest of processesOf(manifests)) {
      const pod = fieldsOf(templateOf(manifest)?.spec);
      const { sleep } = fieldsOf(fieldsOf(containerOf(manifest).lifecycle).preStop);
      const rest = Number(pod.terminationGracePeriodSeconds) - Number(fieldsOf(sleep).seconds);
      expect(rest * 1_000).toBeGreaterThan(stopMs + longestDrainMs);
    }
  });
});
