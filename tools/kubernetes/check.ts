import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { parseAllDocuments } from 'yaml';
import { type Manifest, titleOf } from './manifest.ts';
import { madeMonitoring } from './monitoring.ts';
import { render } from './render.ts';
import { ruleFaults } from './rules.ts';
import { schemaFaults } from './schemas.ts';

const folder = join(root, 'deploy/kubernetes');
export const overlayFolder = (name: string) => join(folder, 'overlays', name);
/** A load test, applied beside an overlay. */
export const loadFolder = join(folder, 'load');
export const overlays: readonly string[] = readdirSync(join(folder, 'overlays'));

/** Components that no overlay of ours uses, each put into `production`. */
const optional = ['monitoring', 'tunnel-ingress'];

/** What is wrong with the manifests of Kubernetes, one a line: every overlay rendered and held to schemas and rules. */
export async function kubernetesFaults(): Promise<string[]> {
  const rendered = [
    ...overlays.map((name) => ({ name, make: () => render(overlayFolder(name)) })),
    { name: 'load', make: () => render(loadFolder) },
    { name: 'make-monitoring', make: madeMonitoring },
    ...optional.map((name) => ({
      name: `production with ${name}`,
      make: () => render(overlayFolder('production'), [`../../components/${name}`]),
    })),
  ];
  const found = await Promise.all(
    rendered.map(async ({ name, make }) => (await faultsOf(make)).map((fault) => `${name}: ${fault}`)),
  );
  return [...found.flat(), ...unparsable()];
}

async function faultsOf(make: () => Manifest[]): Promise<string[]> {
  let manifests: Manifest[];
  try {
    manifests = make();
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  return manifestFaults(manifests);
}

/** What is wrong with rendered manifests, one a line. */
export async function manifestFaults(manifests: readonly Manifest[]): Promise<string[]> {
  const faults = await Promise.all(
    manifests.map(async (manifest) =>
      (await schemaFaults(manifest)).map((fault) => `${titleOf(manifest)}: ${fault}`),
    ),
  );
  return [...faults.flat(), ...ruleFaults(manifests)];
}

/** Files that are no manifests of ours (values of charts) are YAML at least. */
const unparsable = () =>
  globSync('**/*.yaml', { cwd: folder }).flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), 'utf8')).flatMap(({ errors }) =>
      errors.map(({ message }) => `${file}: ${message}`),
    ),
  );
