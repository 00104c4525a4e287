import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { groupName, processNames, processOf } from '@talpa/instance/ports.mjs';
import { stopMs } from '@talpa/service-kit/process/stopping';
import { knownSettings } from '@talpa/service-kit/settings';
import { longestDrainMs } from '@talpa/service-kit/settings/edge';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { securityHeaders } from '../../gateway/security/headers.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const overlays = ['https', 'public', 'cloudflare', 'observability', 'load', 'small'];
const composeFiles = ['docker-compose.yml', ...overlays.map((name) => `deploy/compose/${name}.yml`)];
/** What compose files ask for by name: `${NAME:-default}`. */
const asked = new Set(
  composeFiles.flatMap((path) => [...read(path).matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name)),
);

it('names in .env.example every setting there is, what compose asks for, and nothing else', () => {
  const named = [...read('.env.example').matchAll(/^# ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);
  const files = ['TALPA_ADMIN_PASSWORD', 'GRAFANA_ADMIN_PASSWORD'];
  expect(named.toSorted()).toEqual(
    [...new Set([...Object.keys(knownSettings), ...asked, ...files])].toSorted(),
  );
});

it('says in .env.example which defaults there are', () => {
  const given = [...read('.env.example').matchAll(/^#([A-Z][A-Z0-9_]+)=(.+)$/gm)];
  const differ = given.flatMap(([, name = '', value]) => {
    const schema = name in knownSettings && knownSettings[name as keyof typeof knownSettings];
    const own = schema ? schema.safeParse(undefined).data : undefined;
    return own === undefined || own === null || asked.has(name) || String(own) === value
      ? []
      : [`${name}: ${own}`];
  });
  expect(differ).toEqual([]);
});

it('has compose wait for the end of what runs as long as a process may take', () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
    services: Record<string, { build?: { target: string }; stop_grace_period?: string }>;
  };
  const processes = Object.values(services).filter(({ build }) => build?.target === 'process');
  expect(processes.length).toBeGreaterThan(5);
  for (const { stop_grace_period: grace = '' } of processes) {
    const [, seconds] = grace.match(/^(\d+)s$/) ?? [];
    expect(Number(seconds) * 1_000).toBeGreaterThan(stopMs + longestDrainMs);
  }
});

describe('on one host', () => {
  interface Service {
    readonly build?: { readonly target: string };
    readonly ports?: readonly string[];
    readonly networks?: readonly string[];
    readonly volumes?: readonly string[];
    readonly environment?: Readonly<Record<string, string>>;
    readonly image?: string;
    readonly profiles?: readonly string[];
    readonly depends_on?: Readonly<Record<string, unknown>>;
    readonly env_file?: unknown;
  }
  const compose = (path: string) =>
    // `!override` is Compose's own.
    parse(read(path), { merge: true, logLevel: 'error' }) as {
      services: Record<string, Service>;
      networks?: Record<string, { internal?: boolean } | null>;
    };
  const { services, networks } = compose('docker-compose.yml');

  it('ports are published on 127.0.0.1 unless HOST says otherwise, the edge’s with public.yml, and none of a store or the provider’s API', () => {
    const published = composeFiles.flatMap((path) =>
      Object.entries(compose(path).services).flatMap(([name, { ports = [] }]) =>
        ports.map((port) => [name, port] as const),
      ),
    );
    expect(new Set(published.map(([name]) => name))).toEqual(
      new Set(['edge', 'load-balancer', 'prometheus', 'grafana']),
    );
    for (const [name, port] of published)
      if (!(name === 'edge' && /^\$\{EDGE_PUBLIC_HOST:-0\.0\.0\.0\}:/.test(port)))
        expect(port).toMatch(/^(\$\{HOST:-127\.0\.0\.1\}|127\.0\.0\.1):/);
  });

  it('small.yml joins the services: as hardened as each alone, each with its own settings, and nobody waits for one that is gone', () => {
    const { services: small } = compose('deploy/compose/small.yml');
    const gone = Object.keys(small).filter((name) => small[name]?.profiles);
    expect(gone.toSorted()).toEqual(
      processNames.filter((name) => processOf(name, { PROCESSES: 'grouped' }) === groupName).toSorted(),
    );
    const own = ({ image, build, volumes, environment, ...rest }: Service = {}) => rest;
    expect(own(small.services)).toEqual(own(services.notifications));
    expect(small.services?.volumes).toEqual(gone.map((name) => `for-${name}:/run/talpa/${name}:ro`));
    const waitedFor = Object.values({ ...services, ...small })
      .filter(({ profiles }) => !profiles)
      .flatMap(({ depends_on = {} }) => Object.keys(depends_on));
    expect(waitedFor).toContain('services');
    expect(waitedFor.filter((name) => gone.includes(name))).toEqual([]);
  });

  it('stores are on an internal network alone', () => {
    expect(networks?.back).toEqual({ internal: true });
    for (const store of ['postgres', 'nats', 'redis']) expect(services[store]?.networks).toEqual(['back']);
  });

  it('frontends and the load balancer have no secrets, and reach no store', () => {
    const open = Object.values(services).filter(({ build }) =>
      ['frontend', 'load-balancer'].includes(build?.target ?? ''),
    );
    expect(open).toHaveLength(4);
    for (const { volumes, environment, env_file, networks: reached } of open) {
      expect([volumes, environment, env_file]).toEqual([undefined, undefined, undefined]);
      expect(reached).not.toContain('back');
    }
  });
});

describe('a frontend’s nginx', () => {
  const conf = read('deploy/images/frontend.conf');

  it('sends the headers that the gateway sends with files from its disk', () => {
    const sent = new Map(
      [...conf.matchAll(/add_header (\S+) "([^"]+)";/g)].map(([, name = '', value]) => [
        name.toLowerCase(),
        value,
      ]),
    );
    const gateways = securityHeaders(false);
    for (const name of ['x-content-type-options', 'x-frame-options', 'content-security-policy'])
      expect([name, sent.get(name)]).toEqual([name, gateways[name]]);
  });

  it('knows types and lasting names as the gateway does', () => {
    const gateway = read('gateway/panel/folder.ts');
    const types = [...gateway.matchAll(/'\.(\w+)': '([^']+)'/g)];
    expect(types.length).toBeGreaterThan(8);
    for (const [, ending = '', type] of types) {
      const found = [...conf.matchAll(/~\\\.(\S+?)(?:\(\\\.br\)\?)?\$\s+"([^"]+)"/g)].find(([, names = '']) =>
        new RegExp(`^${names}$`).test(ending),
      );
      expect([ending, found?.[2]]).toEqual([ending, type]);
    }
    const [, lasting = ''] = gateway.match(/hashedName = \/(.+)\/;/) ?? [];
    expect(conf).toContain(`"~${lasting}"`);
  });
});
