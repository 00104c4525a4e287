import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { root, sourcesOf } from './paths.ts';
import { processNames } from './ports.mjs';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const services = readdirSync(join(root, 'services'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

it('each process has the name of its folder', () => {
  expect(processNames.toSorted()).toEqual(['gateway', ...services].toSorted());
  for (const name of processNames)
    expect(read(`${sourcesOf(name)}/main.ts`)).toMatch(
      new RegExp(`await run(Service|Process)\\('${name}', `),
    );
});

it('each process has the same name as container, image and folder of secrets', () => {
  const { services: containers } = parse(read('docker-compose.yml'), { merge: true }) as {
    services: Record<
      string,
      { image: string; volumes?: string[]; build?: { target: string; args: { PROCESS: string } } }
    >;
  };
  for (const name of processNames)
    expect(containers[name]).toMatchObject({
      image: `talpa/${name}:\${TALPA_VERSION:-latest}`,
      build: { target: 'process', args: { PROCESS: sourcesOf(name) } },
      volumes: [`for-${name}:/run/talpa:ro`],
    });
});
