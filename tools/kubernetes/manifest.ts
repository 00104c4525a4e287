/** Any part of a manifest, as YAML gives it. */
export type Node = null | boolean | number | string | Node[] | { [key: string]: Node };
export type Fields = { [key: string]: Node };

/** One Kubernetes object. */
export interface Manifest extends Fields {
  apiVersion: string;
  kind: string;
  metadata: Fields & { name: string };
}

export const isFields = (node: Node | undefined): node is Fields =>
  typeof node === 'object' && node !== null && !Array.isArray(node);

/** Its fields, or none. */
export const fieldsOf = (node: Node | undefined): Fields => (isFields(node) ? node : {});

/** Its items, as far as they have fields. */
export const listOf = (node: Node | undefined): Fields[] =>
  Array.isArray(node) ? node.filter(isFields) : [];

export const textOf = (node: Node | undefined): string => (typeof node === 'string' ? node : '');

/** “Deployment gateway” */
export const titleOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;

/** The labels of an object, or of a pod's template. */
export const labelsOf = (node: Node | undefined): Fields =>
  fieldsOf(fieldsOf(fieldsOf(node).metadata).labels);

/** The pod's template of whatever runs pods; null of everything else. */
export function templateOf(manifest: Manifest): Fields | null {
  const { template } = fieldsOf(manifest.spec);
  return isFields(template) && ['Deployment', 'StatefulSet', 'Job'].includes(manifest.kind) ? template : null;
}

/** The containers of a pod's template. */
export const containersOf = (template: Fields): Fields[] => listOf(fieldsOf(template.spec).containers);
