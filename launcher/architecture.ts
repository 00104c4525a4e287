import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.ts';

/** Which files may not import what, and why. Patterns are over the importing file and the import's text. */
const rules: readonly { readonly files: RegExp; readonly forbidden: RegExp; readonly why: string }[] = [
  {
    files: /^packages\/contracts\/src\/(?!.*\.test\.ts)/,
    forbidden: /^(?!zod$|\.)/,
    why: 'the contract depends on zod alone',
  },
  {
    files: /^(?!packages\/service-kit\/|tests\/|.*\.test\.ts)/,
    forbidden: /^(@nats-io\/jetstream|postgres|ioredis)$/,
    why: 'the stores’ clients are used through the service kit',
  },
  {
    files: /^(packages\/panel-kit|frontends)\//,
    forbidden: /^@talpa\/(service-kit|gateway|auth|billing|proxies|stats|tunnel-)/,
    why: 'the browser’s code knows the contract and the panel kit',
  },
  {
    files: /^(packages|services|gateway|frontends)\/(?!.*\.test\.ts)/,
    forbidden: /launcher\/|tests\/kit/,
    why: 'the launcher starts the processes, they do not know it',
  },
  { files: /^services\//, forbidden: /^fastify$/, why: 'services know the bus, not HTTP' },
];
/** The embedded provider is an HTTP server of its own. */
const exceptions = [/^services\/tunnel-provider\/.* fastify$/];

const maximumLines = 400;

/** Every breach of the rules, one a line. */
export async function findViolations(): Promise<string[]> {
  const files = globSync('{packages,services,gateway,frontends,launcher,tests}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path),
  });
  return files.flatMap((file) => violationsOf(file, readFileSync(join(root, file), 'utf8')));
}

/** The breaches of one file. */
export function violationsOf(file: string, text: string): string[] {
  const found: string[] = [];
  for (const name of importsOf(text)) {
    if (exceptions.some((exception) => exception.test(`${file} ${name}`))) continue;
    for (const rule of rules)
      if (rule.files.test(file) && rule.forbidden.test(name))
        found.push(`${file}: imports ${name}; ${rule.why}`);
    if (leavesWorkspace(file, name))
      found.push(`${file}: imports ${name}; another workspace is named by its package`);
  }
  const lines = text.split('\n').length;
  if (lines > maximumLines)
    found.push(`${file}: ${lines} lines; a file says one thing in at most ${maximumLines}`);
  return found;
}

function importsOf(text: string): string[] {
  const statements = text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g);
  return [...statements].map((match) => match[1] ?? '');
}

/** Whether a relative import leads out of the workspace (services/auth, gateway, …) the file lies in. */
function leavesWorkspace(file: string, name: string): boolean {
  if (!name.startsWith('.')) return false;
  const workspace = (path: string) => path.match(/^(?:gateway|launcher|tests|[^/]+\/[^/]+)/)?.[0];
  const target = join(file, '..', name);
  return (
    workspace(target) !== workspace(file) &&
    !/^(tests|launcher)\//.test(file) &&
    !target.startsWith('tests/kit')
  );
}
