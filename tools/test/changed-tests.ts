import { execFileSync } from 'node:child_process';
import { posix } from 'node:path';
import { CliError } from '@talpa/instance/cli';
import { root } from '@talpa/instance/paths';
import { importsOf, readAll, readCode } from '../verify/imports.ts';

/** The files that other files start or read without importing them. A change reaches a test by these or by imports. */
const usedFolders: readonly { readonly by: RegExp; readonly uses: RegExp }[] = [
  {
    by: /^launcher\/processes\/processes\.ts$/,
    uses: /^(gateway|services|packages\/(access|contracts|service-kit))\//,
  },
  { by: /^launcher\/stores\/schemas\.ts$/, uses: /^(services|packages)\/[^/]+\/(migrations|functions)\// },
  {
    by: /^(tests\/kit\/browser\.ts$|tests\/browser\/)/,
    uses: /^(frontends|packages\/(panel-kit|panel-features|contracts))\//,
  },
  {
    by: /^tests\/kit\/command\.ts$/,
    uses: /^(launcher|operator|tools|gateway|services|frontends|packages)\//,
  },
  { by: /^tests\/(compose|load)\//, uses: /^(deploy\/|Dockerfile$|docker-compose\.yml$|\.dockerignore$)/ },
  { by: /^tests\/telemetry\//, uses: /^deploy\/observability\// },
  { by: /^tests\//, uses: /^tests\/.*\.(json|hex)$/ },
  // Documents and manifests are compared with the code.
  {
    by: /^(?!tests\/).*(?<!\.integration)\.test\.tsx?$/,
    uses: /^(docs|deploy|mutation|\.github|\.ci|\.devcontainer)\/|\.md$|^(Dockerfile|docker-compose\.yml|\.env\.example)$/,
  },
];

type Texts = ReadonlyMap<string, string>;

const isCode = (file: string) => /\.(ts|tsx|mjs)$/.test(file) && file.includes('/');
const isTest = (file: string) => /\.test\.tsx?$/.test(file);

/**
 * The test files that a change of these files can break.
 * @param code every file of ours with its text
 * @returns null when a file is none of those whose users we know: then all
 */
export function testsOf(changed: readonly string[], code: Texts): string[] | null {
  const users = usersIn(code);
  const folders = usedFolders.map(({ by, uses }) => ({
    uses,
    users: [...code.keys()].filter((file) => by.test(file)),
  }));
  // A test file does not belong to the folder that it tests.
  const usersOfFolders = (file: string) =>
    folders.flatMap(({ uses, users }) => (!isTest(file) && uses.test(file) ? users : []));
  const found = new Set<string>();
  const reach = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    for (const user of users.get(file) ?? []) reach(user);
  };
  for (const file of changed) {
    const ofFolders = usersOfFolders(file);
    // The imports of what was deleted are still there, or those files are among the changed ones.
    if (!isCode(file) && ofFolders.length === 0) return null;
    for (const one of [file, ...ofFolders]) reach(one);
  }
  return [...found].filter((file) => isTest(file) && code.has(file)).sort();
}

/** By file, the files that import it or name its path. */
function usersIn(code: Texts): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const [file, text] of code)
    for (const used of usedBy(file, text)) users.set(used, [...(users.get(used) ?? []), file]);
  return users;
}

function usedBy(file: string, text: string): string[] {
  const imported = importsOf(text).flatMap(({ name, isType }) => (isType ? [] : pathOf(file, name)));
  // The path of a file that is run: from here, or from the root.
  const named = [...text.matchAll(/'([\w./-]+\.(?:ts|mjs))'/g)].flatMap(([, path = '']) => [
    posix.join(posix.dirname(file), path),
    path,
  ]);
  return [...imported, ...named];
}

/** The file of ours that an import means; none for a package of others. */
function pathOf(file: string, name: string): string[] {
  if (name.startsWith('.')) return [posix.join(posix.dirname(file), name)];
  const [, workspaceName = '', path] = /^(@talpa\/[\w-]+)(?:\/(.*))?$/.exec(name) ?? [];
  const workspace = workspaces().get(workspaceName);
  if (!workspace) return [];
  const { folder, exported } = workspace;
  const exact = exported[path ? `./${path}` : '.'];
  const target = exact ?? exported['./*']?.replace('*', path ?? '');
  return target ? [posix.join(folder, target)] : [];
}

interface Workspace {
  readonly folder: string;
  readonly exported: Readonly<Record<string, string>>;
}

let known: ReadonlyMap<string, Workspace> | undefined;

/** The workspaces by the names of their packages. */
function workspaces(): ReadonlyMap<string, Workspace> {
  known ??= new Map(
    [...readAll('{packages,services,frontends,tests}/*/package.json')].map(([file, text]) => {
      const { name, exports = {} } = JSON.parse(text) as { name: string; exports?: Record<string, string> };
      return [name, { folder: posix.dirname(file), exported: exports }];
    }),
  );
  return known;
}

/**
 * The test files that the changes since the branch left `ref` can break, those that are not committed included.
 * @returns null for all
 */
export function changedTests(ref: string): string[] | null {
  const [base = ''] = git(ref, 'merge-base', 'HEAD', ref);
  const tracked = git(ref, 'diff', '--name-only', '--no-renames', base);
  return testsOf([...tracked, ...git(ref, 'ls-files', '--others', '--exclude-standard')], readCode());
}

function git(ref: string, ...args: readonly string[]): string[] {
  try {
    const said = execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return said.split('\n').filter(Boolean);
  } catch {
    throw new CliError(
      `git cannot compare with “${ref}”. Name a branch or a commit: npm test -- --changed=<ref>`,
    );
  }
}
