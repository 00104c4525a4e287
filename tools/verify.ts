import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { runCommand } from '@talpa/instance/cli';
import { root } from '@talpa/instance/paths';
import { kubernetesFaults } from './kubernetes/check.ts';
import { faultsOfBugs } from './mutate/bugs.ts';
import { findLongFiles, findViolations } from './verify/architecture.ts';

/** `npm run verify`: format, lint, types, the architecture rules, the places of the bugs, Kubernetes' manifests; seconds, and no server. */
await runCommand(async () => {
  const results = await Promise.all([
    run('format and lint', 'node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']),
    run('types of the services', 'node_modules/typescript/bin/tsc', ['-p', 'tsconfig.json']),
    run('types of the panel', 'node_modules/typescript/bin/tsc', ['-p', 'tsconfig.panel.json']),
    run('types of the load scenarios', 'node_modules/typescript/bin/tsc', ['-p', 'deploy/k6']),
    run('unused exports', 'node_modules/knip/bin/knip.js', ['--no-progress']),
    { name: 'architecture', output: findViolations().join('\n') },
    { name: 'places of the bugs', output: faultsOfBugs().join('\n') },
    kubernetes(),
  ]);
  for (const { name, output } of results) console.log(output ? `✗ ${name}\n${output}` : `✓ ${name}`);
  for (const file of findLongFiles()) console.log(`… long: ${file}`);
  if (results.some(({ output }) => output)) process.exitCode = 1;
});

interface Result {
  readonly name: string;
  /** What is wrong; empty when nothing is. */
  readonly output: string;
}

async function run(name: string, script: string, args: readonly string[]): Promise<Result> {
  const child = spawn(process.execPath, [join(root, script), ...args], { cwd: root });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data));
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { name, output: code === 0 ? '' : said.trim() || `ended with ${code}` };
}

async function kubernetes(): Promise<Result> {
  return { name: 'manifests of Kubernetes', output: (await kubernetesFaults()).join('\n') };
}
