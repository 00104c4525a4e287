import { expect, it } from 'vitest';
import { violationsOf } from './architecture.ts';
import { findFolderCircles, findImportCycles } from './import-cycles.ts';

const callee = 'it';
const testCalled = (title: string) => `${callee}('${title}', () => {})`;
const breaches: [file: string, text: string][] = [
  ['packages/contracts/src/entry.ts', "import fs from 'node:fs'"],
  ['services/auth/app.ts', "import postgres from 'postgres'"],
  ['packages/service-kit/settings.ts', "import { routes } from '@talpa/contracts'"],
  ['services/auth/app.ts', "import { connect } from '@nats-io/transport-node'"],
  ['services/auth/app.ts', "import { wire } from '@talpa/billing/app'"],
  ['services/auth/app.ts', "import { createGateway } from '@talpa/gateway/app'"],
  ['services/auth/app.ts', "import { wire } from '../../billing/app.ts'"],
  ['services/auth/app.ts', "import Fastify from 'fastify'"],
  ['services/edge/app.ts', "import { hashSecret } from '@talpa/tunnel-provider/tunnels/secret'"],
  ['services/tunnel-provider/app.ts', "import { startEdge } from '../../edge/app.ts'"],
  ['gateway/app.ts', "import Redis from 'ioredis'"],
  ['gateway/app.ts', "import { wire } from '@talpa/auth/app'"],
  ['packages/service-kit/log.ts', "import { wire } from '@talpa/auth/app'"],
  ['frontends/user/src/routes.tsx', "import { createLog } from '@talpa/service-kit/log'"],
  ['frontends/user/src/routes.tsx', "import { layout } from '../../../shell/src/layout.ts'"],
  ['packages/panel-kit/core.ts', "import { createLog } from '@talpa/service-kit/log'"],
  ['services/auth/app.ts', "import { startTalpa } from '../../../launcher/system.ts'"],
  ['launcher/system.ts', "import { startStores } from '@talpa/test-kit/stores'"],
  ['operator/talpa.ts', "import { renderManifests } from '../tools/kubernetes/render.ts'"],
  ['launcher/system.ts', "import { commands } from '../operator/commands/commands.ts'"],
  ['launcher/system.ts', "import { startDevelopment } from '../tools/dev.ts'"],
  ['tools/load.ts', "import { commands } from '../operator/commands/commands.ts'"],
  ['tools/load.ts', "import { table } from '../bench/kit/statistics.ts'"],
  ['packages/service-kit/events/lag.ts', 'const consumers = new Map<string, string>();'],
  ['packages/service-kit/events/lag.ts', 'const asked: Asked = boundedCache<string, true>(10);'],
  ['packages/service-kit/events/lag.ts', 'export let last = 0;'],
  ['services/auth/users/list.test.ts', testCalled('works')],
  ['services/auth/users/list.test.ts', testCalled('should list the users')],
  ['services/auth/users/list.test.ts', 'const nothing = 1'],
  ['services/auth/users/sql.ts', 'await sql`select pg_advisory_xact_lock(1)`'],
];

it.each(breaches)('refuses in %s: %s', (file, text) => {
  expect(violationsOf(file, text)).not.toEqual([]);
});

it.each([
  ['services/auth/app.ts', "import type { NatsConnection } from '@nats-io/transport-node'"],
  ['services/auth/app.ts', "import { log } from '@talpa/service-kit/log'"],
  ['services/tunnel-provider/app.ts', "import Fastify from 'fastify'"],
  ['frontends/user/src/routes.tsx', "import { routes } from '@talpa/contracts'"],
  ['frontends/all.test.ts', "import './user/src/texts/de.ts'\nit('has every text twice', () => {})"],
  ['tools/load.ts', "import { startStores } from '@talpa/test-kit/stores'"],
  ['tools/dev.ts', "import { buildPanel } from '../launcher/build.ts'"],
  ['launcher/system.ts', "import { setUpStreams } from '@talpa/service-kit/bus/setup'"],
  ['services/auth/users/list.test.ts', testCalled('shows all users to an administrator')],
  ['packages/service-kit/events/lag.ts', 'const consumers = perMember(() => new Map<string, string>());'],
  ['packages/service-kit/events/lag.ts', 'const names = new WeakMap<Socket, string>();'],
  ['services/auth/app.ts', 'const consumers = new Map<string, string>();'],
])('lets pass in %s: %s', (file, text) => {
  expect(violationsOf(file, text)).toEqual([]);
});

it('names every cycle of imports with the way around it, and nothing else', () => {
  const graph = new Map([
    ['app.ts', ['verb.ts', 'context.ts']],
    ['verb.ts', ['context.ts', 'sql.ts']],
    ['context.ts', []],
    ['sql.ts', ['row.ts']],
    ['row.ts', ['sql.ts']],
  ]);
  expect(findImportCycles(graph)).toEqual(['import cycle: sql.ts → row.ts → sql.ts']);
});

it('names every two sibling folders that import each other, at any depth, and how to part them', () => {
  const graph = new Map([
    ['auth/emails/send.ts', ['auth/users/sql/row.ts', 'auth/users/sql/find.ts']],
    ['auth/users/sql/row.ts', ['auth/emails/words/kind.ts']],
  ]);
  expect(findFolderCircles(graph)).toEqual([
    'auth/emails and auth/users import each other: auth/users/sql/row.ts → auth/emails/words/kind.ts',
  ]);
});

it.each<[string, Record<string, string[]>]>([
  ['one way', { 'auth/emails/send.ts': ['auth/users/row.ts'] }],
  [
    'a test',
    { 'auth/emails/send.ts': ['auth/users/row.ts'], 'auth/users/row.test.ts': ['auth/emails/send.ts'] },
  ],
  ['a file beside', { 'auth/app.ts': ['auth/users/row.ts'], 'auth/users/row.ts': ['auth/app.ts'] }],
  [
    'within a folder',
    { 'auth/users/row.ts': ['auth/users/sql.ts'], 'auth/users/sql.ts': ['auth/users/row.ts'] },
  ],
])('takes no folders for a circle by %s', (_, graph) => {
  expect(findFolderCircles(new Map(Object.entries(graph)))).toEqual([]);
});
