import { join } from 'node:path';
import { processNames } from '@talpa/instance/ports.mjs';
import { findFolderCircles, findImportCycles, relativeImports } from './import-cycles.ts';
import { type Import, importsOf, readAll, readCode } from './imports.ts';
import { findNumberFaults } from './migration-numbers.ts';

interface Rule {
  /** Over the importing file. */
  readonly files: RegExp;
  /** Over the import's text. */
  readonly forbidden: RegExp;
  readonly why: string;
  /** Where only the types may be used. */
  readonly typesAllowed?: true;
}

const ourProcesses = `@talpa\\/(${processNames.join('|')})(\\/|$)`;

/** Which files may not import what, and why. */
const rules: readonly Rule[] = [
  {
    files: /^packages\/contracts\/src\/(?!.*\.test\.ts)/,
    forbidden: /^(?!zod$|\.)/,
    why: 'the contract depends on zod alone',
  },
  {
    files: /^(?!packages\/service-kit\/|tests\/|bench\/|.*\.test\.ts)/,
    forbidden: /^(@nats-io\/.*|postgres|ioredis)$/,
    why: 'the stores’ clients are used through the service kit',
    typesAllowed: true,
  },
  {
    files: /^(services\/edge|packages\/(access|service-kit\/(settings|process)))\b(?!.*\.test\.ts)/,
    forbidden: /^@talpa\/contracts$/,
    why: 'the edge starts with what it needs of the contract, not with every route: name the file',
    typesAllowed: true,
  },
  {
    files: /^(packages|services|gateway|frontends)\//,
    forbidden: new RegExp(`^${ourProcesses}`),
    why: 'processes know each other by the contract alone',
  },
  {
    files: /^(packages\/panel-(kit|features)|frontends)\//,
    forbidden: /^@talpa\/(service-kit|access)/,
    why: 'the browser’s code knows the contract and the panel kit',
  },
  {
    files: /^packages\/panel-kit\//,
    forbidden: /^@talpa\/panel-features/,
    why: 'the panel kit knows nothing of features',
  },
  {
    files: /^(services|gateway|packages\/(access|contracts|service-kit))\//,
    forbidden: /^(@talpa\/panel-|react|antd)/,
    why: 'the panel is not for the servers',
  },
  {
    files: /^services\/(?!tunnel-provider\/|edge\/)/,
    forbidden: /^(@fastify\/.*|fastify)$/,
    why: 'services know the bus, not HTTP; only the provider and its edge speak it',
  },
  {
    files: /^(?!tests\/|tools\/|bench\/|.*\.test\.tsx?$)/,
    forbidden: /^@talpa\/test-kit/,
    why: 'the test kit is for tests',
  },
  {
    files: /^operator\/(?!.*\.test\.ts)/,
    forbidden: /\/tools\//,
    why: 'the operator’s image holds no development tools',
    typesAllowed: true,
  },
  {
    files: /^tools\/(?!.*\.test\.ts)/,
    forbidden: /\/operator\//,
    why: 'tools work without the operator’s commands',
  },
];

/** From the bottom up: a file imports from its own layer and those below. Tests stand above everything, wherever their files are. */
const layers = ['packages', 'services|gateway|frontends', 'launcher', 'operator|tools|tests', 'bench'].map(
  (folders) => new RegExp(`^(${folders})/`),
);

/** What a module keeps once. */
const moduleState =
  /^(export )?(let \w+|const \w+(: [^=]+)? = (new (Map|Set|LRUCache)(<.*>)?\(\)|boundedCache\b))/m;
/** What says nothing about the guarantee a test protects. */
const emptyTitle = /^(should|test|tests|works|it works|ok)\b|^\S*$/i;

/** Every breach of the rules, one a line. */
export function findViolations(): string[] {
  const code = readCode();
  const graph = new Map(
    [...code].map(([file, text]) => [
      file,
      relativeImports(
        file,
        importsOf(text).map(({ name }) => name),
      ),
    ]),
  );
  return [
    ...findNumberFaults(readAll('{services,packages}/*/migrations/*.sql').keys()),
    ...[...code].flatMap(([file, text]) => violationsOf(file, text)),
    ...findImportCycles(graph),
    ...findFolderCircles(graph),
  ];
}

/** Sources that may say more than one thing: a reader decides. A test has as many cases as its subject. */
export function findLongFiles(): string[] {
  return [...readCode()].flatMap(([file, text]) => {
    const lines = text.split('\n').length;
    return lines > 400 && !/\.test\.tsx?$/.test(file) ? [`${file}: ${lines} lines`] : [];
  });
}

/** The breaches of one file. */
export function violationsOf(file: string, text: string): string[] {
  const found = importsOf(text).flatMap((used) => [
    ...brokenRules(file, used).map((rule) => `imports ${used.name}; ${rule.why}`),
    ...(leavesWorkspace(file, used.name)
      ? [`imports ${used.name}; another workspace is named by its package`]
      : []),
    ...(looksUp(file, used.name) ? [`imports ${used.name}, which stands above it`] : []),
  ]);
  const isTest = /\.test\.tsx?$/.test(file);
  if (isTest) found.push(...faultsOfTitles(text));
  if (/^services\//.test(file) && /\bpg_(try_)?advisory_/.test(text))
    found.push(
      'takes a lock of the whole database; its role may not, lock_transaction(name) is the schema’s own',
    );
  if (!isTest && /^packages\/service-kit\/(?!shared-process\.ts)/.test(file) && moduleState.test(text))
    found.push('keeps something for all services that share a process; perMember keeps it for each');
  return found.map((fault) => `${file}: ${fault}`);
}

function brokenRules(file: string, used: Import): Rule[] {
  return rules.filter(
    (rule) => rule.files.test(file) && rule.forbidden.test(used.name) && !(rule.typesAllowed && used.isType),
  );
}

function looksUp(file: string, name: string): boolean {
  if (!name.startsWith('.') || /\.test\.tsx?$/.test(file)) return false;
  const layerOf = (path: string) => layers.findIndex((layer) => layer.test(path));
  return layerOf(join(file, '..', name)) > layerOf(file);
}

/** What looks at several workspaces by its nature: cross-process tests, the launcher, tools, services/members.ts, frontends/sources.test.ts. */
const isAboveWorkspaces =
  /^(tests|launcher|operator|tools|bench)\/|^(packages|services|frontends)\/[^/]+\.tsx?$/;

/** Whether a relative import leads out of the workspace (services/auth, gateway, …) of the file. */
function leavesWorkspace(file: string, name: string): boolean {
  if (!name.startsWith('.') || isAboveWorkspaces.test(file)) return false;
  const workspace = (path: string) =>
    path.match(/^(?:gateway|launcher|operator|tools|tests|[^/]+\/[^/]+)/)?.[0];
  const target = join(file, '..', name);
  const isTestsTool = /\.test\.tsx?$/.test(file) && /^(launcher|tools)\//.test(target);
  return workspace(target) !== workspace(file) && !isTestsTool;
}

function faultsOfTitles(text: string): string[] {
  const titles = [...text.matchAll(/^[ \t]*(?:it|test)(?:\.\w+(?:\([\s\S]*?\))?)*\(\s*(['"`])(.+?)\1\s*,/gm)];
  if (titles.length === 0) return ['states no guarantee: it has no test'];
  return titles
    .map(([, , title = '']) => title)
    .filter((title) => emptyTitle.test(title.trim()))
    .map((title) => `“${title}” does not say which guarantee the test protects`);
}
