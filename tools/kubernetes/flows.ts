import { type Fields, fieldsOf, labelsOf, listOf, type Manifest, templateOf, textOf } from './manifest.ts';
import { matches } from './rules.ts';

/** A pod as policies see it. */
export interface Pod {
  readonly name: string;
  readonly labels: Fields;
}

/** The pods that these manifests run themselves. */
export function podsOf(manifests: readonly Manifest[]): Pod[] {
  return manifests.flatMap((manifest) => {
    const template = templateOf(manifest);
    return template ? [{ name: manifest.metadata.name, labels: labelsOf(template) }] : [];
  });
}

/** The ways from pod to pod, “gateway → nats:4222”: where a policy lets them start, and where one lets them end. */
export function flowsOf(manifests: readonly Manifest[], pods: readonly Pod[]) {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => fieldsOf(spec));
  const ways = (rules: 'egress' | 'ingress', others: 'to' | 'from') =>
    policies.flatMap((policy) =>
      pods
        .filter(({ labels }) => selects(fieldsOf(policy.podSelector), labels))
        .flatMap((pod) =>
          listOf(policy[rules]).flatMap((rule) =>
            pods
              .filter(({ labels }) => listOf(rule[others]).some((peer) => isPeer(peer, labels)))
              .flatMap((other) =>
                listOf(rule.ports).map(({ port }) =>
                  rules === 'egress'
                    ? `${pod.name} → ${other.name}:${port}`
                    : `${other.name} → ${pod.name}:${port}`,
                ),
              ),
          ),
        ),
    );
  return { started: sorted(ways('egress', 'to')), ended: sorted(ways('ingress', 'from')) };
}

const sorted = (ways: string[]) => [...new Set(ways)].toSorted();

const isPeer = ({ podSelector, namespaceSelector, ipBlock }: Fields, labels: Fields) =>
  !namespaceSelector && !ipBlock && selects(fieldsOf(podSelector), labels);

function selects({ matchLabels, matchExpressions }: Fields, labels: Fields): boolean {
  return (
    matches(fieldsOf(matchLabels), labels) &&
    listOf(matchExpressions).every(
      ({ key, operator, values }) =>
        operator === 'In' && Array.isArray(values) && values.includes(labels[textOf(key)] ?? null),
    )
  );
}
