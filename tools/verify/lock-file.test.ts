import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { expect, it } from 'vitest';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly libc?: readonly string[];
  readonly cpu?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
const packagesIn = (file: string) =>
  (JSON.parse(readFileSync(join(root, file), 'utf8')) as { packages: Readonly<Record<string, Locked>> })
    .packages;
const packages = packagesIn('package-lock.json');
const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);
/** Where Talpa runs: glibc Linux on these processors. */
const runsHere = ({ os, libc, cpu }: Locked) =>
  (!os || os.includes('linux')) &&
  (!libc || libc.includes('glibc')) &&
  (!cpu || [cpu].flat().some((one) => ['x64', 'arm64'].includes(one)));

it('names every package, those of other platforms too: npm ci refuses a lock file that does not', () => {
  const missing = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies).filter((name) => !(`node_modules/${name}` in packages)),
  );
  expect(missing).toEqual([]);
});

it('holds the checksum of every package that is installed where Talpa runs', () => {
  const unchecked = installed
    .filter(([, locked]) => runsHere(locked) && !locked.integrity)
    .map(([path]) => path);
  expect(unchecked).toEqual([]);
  expect(installed.length).toBeGreaterThan(100);
});

it('has the checksums by which npm has checked the packages that are installed', () => {
  const checked = Object.entries(packagesIn('node_modules/.package-lock.json')).filter(
    ([, { link }]) => !link,
  );
  const others = checked.filter(([path, { integrity }]) => integrity !== packages[path]?.integrity);
  expect(others.map(([path]) => path)).toEqual([]);
  expect(checked.length).toBeGreaterThan(100);
});
