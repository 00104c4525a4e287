import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@talpa/instance/paths';
import type { Manifest } from './manifest.ts';
import { parseManifests } from './parse.ts';

const observability = join(root, 'deploy/observability');
const asking = ['prometheus/rules.yml', 'grafana/dashboards/talpa.json'];

/** The jobs by whose names alerts and the dashboard ask for our figures. */
export function askedJobs(): string[] {
  const texts = asking.map((file) => readFileSync(join(observability, file), 'utf8').replaceAll('\\"', '"'));
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(/\bjob="([^"]*)"/g)].map(([, job = '']) => job))),
  ];
}

/** What `deploy/kubernetes/make-monitoring` makes of alerts and dashboard. */
export function madeMonitoring(): Manifest[] {
  const script = join(root, 'deploy/kubernetes/make-monitoring');
  return parseManifests(execFileSync('bash', [script], { encoding: 'utf8' }), script);
}
