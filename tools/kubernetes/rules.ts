import {
  containersOf,
  type Fields,
  fieldsOf,
  isFields,
  labelsOf,
  listOf,
  type Manifest,
  type Node,
  templateOf,
  textOf,
  titleOf,
} from './manifest.ts';
import { askedJobs } from './monitoring.ts';

/** What the schemas cannot see: names that lead nowhere, and pods that may do more than they need. */
export function ruleFaults(manifests: readonly Manifest[]): string[] {
  const titles = manifests.map(titleOf);
  const twice = titles.filter((title, at) => titles.indexOf(title) !== at);
  return [
    ...twice.map((title) => `${title}: there are two`),
    ...manifests.flatMap((manifest) =>
      [...podFaults(manifest), ...referenceFaults(manifest, manifests)].map(
        (fault) => `${titleOf(manifest)}: ${fault}`,
      ),
    ),
  ];
}

function podFaults(manifest: Manifest): string[] {
  const template = templateOf(manifest);
  if (!template) return manifest.kind === 'Secret' ? ['a secret has no place in the repository'] : [];
  const pod = fieldsOf(template.spec);
  const context = fieldsOf(pod.securityContext);
  const faults = containersOf(template).flatMap((container) => [
    ...containerFaults(container, pod),
    ...(manifest.kind === 'Deployment' || manifest.kind === 'StatefulSet' ? hangFaults(container) : []),
  ]);
  if (context.runAsNonRoot !== true) faults.push('may run as root');
  if (fieldsOf(context.seccompProfile).type !== 'RuntimeDefault') faults.push('has no seccomp profile');
  if (pod.automountServiceAccountToken !== false) faults.push('is given a token of the Kubernetes API');
  if (pod.enableServiceLinks !== false)
    faults.push('gets variables of Services that are named like settings');
  return faults;
}

function containerFaults(container: Fields, pod: Fields): string[] {
  const context = fieldsOf(container.securityContext);
  const ports = listOf(container.ports);
  const volumes = listOf(pod.volumes).map(({ name }) => name);
  const { requests, limits } = fieldsOf(container.resources);
  const faults = [
    ...probesOf(container).flatMap((probe) => {
      const { port } = fieldsOf(probe.httpGet ?? probe.tcpSocket);
      return port === undefined || ports.some(({ name }) => name === port)
        ? []
        : [`a probe names the port ${port}, which the container does not have`];
    }),
    ...listOf(container.volumeMounts).flatMap(({ name }) =>
      volumes.includes(name ?? null) || name === 'data' ? [] : [`mounts ${name}, which is no volume`],
    ),
  ];
  if (context.readOnlyRootFilesystem !== true) faults.push('may write to its root file system');
  if (context.allowPrivilegeEscalation !== false) faults.push('may gain privileges');
  if (JSON.stringify(fieldsOf(context.capabilities).drop) !== '["ALL"]') faults.push('keeps capabilities');
  if (!isFields(requests) || !fieldsOf(limits).memory) faults.push('has no requests or no limit of memory');
  return faults;
}

/** A TCP probe does not notice a hang: the kernel accepts connections for a process that hangs. Only a response counts. */
function hangFaults({ livenessProbe, command }: Fields): string[] {
  const probe = fieldsOf(livenessProbe);
  // The operator's shell waits for commands.
  if (JSON.stringify(command) === '["sleep","infinity"]') return [];
  if (!isFields(probe.httpGet) && !isFields(probe.exec)) return ['is not restarted when it hangs'];
  return [];
}

const probesOf = (container: Fields) =>
  [container.startupProbe, container.readinessProbe, container.livenessProbe].filter(isFields);

function referenceFaults({ kind, spec }: Manifest, manifests: readonly Manifest[]): string[] {
  const fields = fieldsOf(spec);
  if (kind === 'Service') return serviceFaults(fields, manifests);
  if (kind === 'Ingress') return listOf(fields.rules).flatMap((rule) => ingressFaults(rule, manifests));
  if (kind === 'HorizontalPodAutoscaler') {
    const target = fieldsOf(fields.scaleTargetRef);
    const found = manifests.find((one) => titleOf(one) === `${target.kind} ${target.name}`);
    if (!found) return [`scales ${target.name}, which is not there`];
    return fieldsOf(found.spec).replicas === undefined ? [] : [`${target.name} has a number of replicas too`];
  }
  if (kind === 'PodMonitor') return podMonitorFaults(fields, manifests);
  if (kind === 'PodDisruptionBudget')
    return selected(fieldsOf(fieldsOf(fields.selector).matchLabels), manifests).length > 0
      ? []
      : ['protects nobody'];
  return [];
}

function podMonitorFaults(
  { selector, podMetricsEndpoints }: Fields,
  manifests: readonly Manifest[],
): string[] {
  const pods = selected(fieldsOf(fieldsOf(selector).matchLabels), manifests);
  if (pods.length === 0) return ['asks nobody'];
  return listOf(podMetricsEndpoints).flatMap(({ port, relabelings }) => {
    const job = listOf(relabelings).findLast(({ targetLabel }) => targetLabel === 'job');
    return [
      ...(pods.every((pod) => hasPort(pod, port))
        ? []
        : [`asks the port ${port}, which its pods do not have`]),
      ...askedJobs()
        .filter((asked) => job?.sourceLabels !== undefined || job?.replacement !== asked)
        .map(
          (asked) => `does not give its pods the job ${asked}, by which alerts and dashboards ask for them`,
        ),
    ];
  });
}

function serviceFaults({ selector, ports }: Fields, manifests: readonly Manifest[]): string[] {
  const pods = selected(fieldsOf(selector), manifests);
  if (pods.length === 0) return ['leads to nobody'];
  return listOf(ports).flatMap(({ targetPort }) =>
    pods.every((pod) => hasPort(pod, targetPort))
      ? []
      : [`leads to the port ${targetPort}, which its pods do not have`],
  );
}

function ingressFaults(rule: Fields, manifests: readonly Manifest[]): string[] {
  return listOf(fieldsOf(rule.http).paths).flatMap(({ backend }) => {
    const { name, port } = fieldsOf(fieldsOf(backend).service);
    const service = manifests.find((one) => titleOf(one) === `Service ${textOf(name)}`);
    const ports = listOf(fieldsOf(service?.spec).ports);
    return ports.some((one) => one.name === fieldsOf(port).name)
      ? []
      : [`leads to ${name}, which has no such port`];
  });
}

const hasPort = (pod: Fields, port: Node | undefined) =>
  containersOf(pod).some((one) => listOf(one.ports).some(({ name }) => name === port));

/** The pods' templates that have all of these labels. */
function selected(labels: Fields, manifests: readonly Manifest[]): Fields[] {
  return manifests.flatMap((manifest) => {
    const template = templateOf(manifest);
    return template && matches(labels, labelsOf(template)) ? [template] : [];
  });
}

export const matches = (wanted: Fields, labels: Readonly<Record<string, Node>>) =>
  Object.entries(wanted).every(([key, value]) => labels[key] === value);
