import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '@talpa/instance/paths';
import type { Manifest, Node } from './manifest.ts';
import { runnerOf, testRunFaults } from './test-run.ts';

interface Validator {
  (data: unknown): boolean;
  readonly errors?:
    | readonly { readonly instancePath: string; readonly message?: string; readonly params: object }[]
    | null;
}

/**
 * The package and the validator of every kind we use, made there from the official OpenAPI and the operators' CRDs.
 * Two of the packages do not export theirs, so they are taken as files.
 */
const validators: Readonly<Record<string, readonly [pack: string, name: string]>> = {
  'v1 ConfigMap': ['kubernetes-models', 'IoK8sApiCoreV1ConfigMap'],
  'v1 Namespace': ['kubernetes-models', 'IoK8sApiCoreV1Namespace'],
  'v1 Service': ['kubernetes-models', 'IoK8sApiCoreV1Service'],
  'v1 ServiceAccount': ['kubernetes-models', 'IoK8sApiCoreV1ServiceAccount'],
  'apps/v1 Deployment': ['kubernetes-models', 'IoK8sApiAppsV1Deployment'],
  'apps/v1 StatefulSet': ['kubernetes-models', 'IoK8sApiAppsV1StatefulSet'],
  'batch/v1 Job': ['kubernetes-models', 'IoK8sApiBatchV1Job'],
  'autoscaling/v2 HorizontalPodAutoscaler': [
    'kubernetes-models',
    'IoK8sApiAutoscalingV2HorizontalPodAutoscaler',
  ],
  'policy/v1 PodDisruptionBudget': ['kubernetes-models', 'IoK8sApiPolicyV1PodDisruptionBudget'],
  'networking.k8s.io/v1 Ingress': ['kubernetes-models', 'IoK8sApiNetworkingV1Ingress'],
  'networking.k8s.io/v1 NetworkPolicy': ['kubernetes-models', 'IoK8sApiNetworkingV1NetworkPolicy'],
  'postgresql.cnpg.io/v1 Cluster': [
    '@kubernetes-models/cloudnative-pg',
    'ComGithubCloudnativePgCloudnativePgApiV1Cluster',
  ],
  'monitoring.coreos.com/v1 PodMonitor': [
    '@kubernetes-models/prometheus-operator',
    'ComGithubPrometheusOperatorPrometheusOperatorPkgApisMonitoringV1PodMonitor',
  ],
  'monitoring.coreos.com/v1 PrometheusRule': [
    '@kubernetes-models/prometheus-operator',
    'ComGithubPrometheusOperatorPrometheusOperatorPkgApisMonitoringV1PrometheusRule',
  ],
};

/**
 * What Kubernetes would refuse of an object, unknown fields included. Not kubeconform: no npm package ships it (Go 1.22, 34 s to
 * build), and it fetches its schemas while it runs; without the network it judged none of 66 objects, in 51 s. All of ours take 0.5 s.
 */
export async function schemaFaults(manifest: Manifest): Promise<string[]> {
  if (manifest.kind === 'TestRun')
    return [...testRunFaults(manifest), ...(await schemaFaults(runnerOf(manifest)))];
  const [pack, name] = validators[`${manifest.apiVersion} ${manifest.kind}`] ?? [];
  if (!pack) return [`${manifest.apiVersion} ${manifest.kind} is no kind we have a schema of`];
  const file = join(root, 'node_modules', pack, '_schemas', `${name}.js`);
  const { validate } = (await import(pathToFileURL(file).href)) as { validate: Validator };
  const reads = watchReads();
  const faults = validate(reads.watch(manifest))
    ? []
    : (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath}: ${message ?? JSON.stringify(params)}`,
      );
  return [...faults, ...reads.unread(manifest, '').map((path) => `${path}: unknown field`)];
}

/**
 * The validators pass over what they do not know. But they read every field they do know: what has not been read
 * after a validation is unknown.
 */
function watchReads() {
  const seen = new WeakMap<object, { proxy: object; read: Set<string> }>();
  const watch = (node: Node): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    const known = seen.get(node);
    if (known) return known.proxy;
    const read = new Set<string>();
    const proxy = new Proxy(node, {
      get: (target, key) => {
        read.add(String(key));
        const value: unknown = Reflect.get(target, key);
        return Object.hasOwn(target, key) ? watch(value as Node) : value;
      },
    });
    seen.set(node, { proxy, read });
    return proxy;
  };
  const unread = (node: Node, path: string): string[] => {
    if (typeof node !== 'object' || node === null) return [];
    const read = seen.get(node)?.read;
    return Object.entries(node).flatMap(([key, value]) =>
      read?.has(key) ? unread(value, `${path}/${key}`) : [`${path}/${key}`],
    );
  };
  return { watch, unread };
}
