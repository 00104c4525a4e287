import { AppError } from '@talpa/service-kit/app-error';
import { useCloudflare } from '@talpa/test-kit/cloudflare';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { lengthOf, seedOf } from '@talpa/test-kit/lengths';
import { type Random, randomFrom } from '@talpa/test-kit/requests/random';
import { useStores } from '@talpa/test-kit/stores';
import { describe, expect, it } from 'vitest';
import type { ProxyRow } from '../../services/proxies/proxy/row.ts';
import type { JobContext } from '../../services/tunnel-worker/jobs/context.ts';
import { createProvider, type ProviderSettings } from '../../services/tunnel-worker/provider/client.ts';
import { type Fate, type Rule, useFront } from './front.ts';
import { domain, useWorld, type World } from './world.ts';

const stores = useStores();
const embedded = useProvider(stores);
const cloudflare = useCloudflare();

const steps = lengthOf('TALPA_SERVERS_STEPS');
/** A connector that leads there is refused. */
const poisonPort = 13;
/** Somebody else has records of these names. */
const taken = ['fremd-1', 'fremd-2'];
const mostServers = 4;
const mostProxies = 7;

describe.each([
  ['embedded', () => embedded.settings, true],
  ['cloudflare', () => cloudflare.settings, false],
] as const)('servers of several proxies at %s', (name, settings, suspendsSingly) => {
  const front = useFront(settings);
  const world = useWorld(stores, () => front.settings, suspendsSingly);

  it('come to what is wanted, and interrupt no sibling on the way', {
    timeout: 180_000 + steps * 500,
  }, async () => {
    const seed = seedOf('TALPA_SERVERS_SEED', 1);
    const run = new Run(world, front, settings(), randomFrom(seed), suspendsSingly);
    await run.begin();
    const since = `${name}: TALPA_SERVERS_SEED=${seed} TALPA_SERVERS_STEPS=${steps}`;
    for (let step = 1; step <= steps; step += 1) {
      await run.step();
      const isDue = step % 12 === 0 || step === steps;
      if (isDue)
        expect(await run.faultsAtRest(), `${since}, after step ${step}: ${run.recent()}`).toEqual([]);
      expect(run.interruptions, `${since}, after step ${step}: ${run.recent()}`).toEqual([]);
    }
  });
});

function serviceOf({ applied, adminPort }: ProxyRow): string {
  if (applied?.suspended) return 'http_status:403';
  return applied?.paused ? 'http_status:503' : `http://127.0.0.1:${adminPort}`;
}

/** What a proxy's owner has ordered last, as far as it can be carried out. */
interface Model {
  readonly label: string;
  readonly port: number;
  readonly suspended: boolean;
  readonly paused: boolean;
  /** Something of it was refused, or may have been: what is served is an earlier order of theirs. */
  readonly isUnsure: boolean;
}

class Run {
  /** What went wrong on the way. */
  readonly interruptions: string[] = [];
  private readonly model = new Map<number, Model>();
  /** Which rules serve visitors, by proxy: no configuration may lack one while nobody changes the proxy. */
  private readonly serving = new Map<number, { readonly tunnelId: string; readonly rule: Rule }>();
  /** Tunnels that are cut on purpose. */
  private readonly replaced = new Set<string>();
  private readonly done: string[] = [];
  private labels = 0;
  /** Calls until the worker dies; undefined: it lives. */
  private callsLeft: number | undefined;
  private readonly world: World;
  private readonly front: ReturnType<typeof useFront>;
  private readonly settings: ProviderSettings;
  private readonly random: Random;
  private readonly suspendsSingly: boolean;

  constructor(
    world: World,
    front: ReturnType<typeof useFront>,
    settings: ProviderSettings,
    random: Random,
    suspendsSingly: boolean,
  ) {
    this.world = world;
    this.front = front;
    this.settings = settings;
    this.random = random;
    this.suspendsSingly = suspendsSingly;
  }

  async begin(): Promise<void> {
    const provider = createProvider(this.settings);
    for (const label of taken)
      await provider.createRecord(`${label}.${domain}`, 'elsewhere.cfargotunnel.com', 'somebody’s');
    this.front.poison = `:${poisonPort}`;
    this.front.onSeen = (seen) => {
      const there = [...this.serving.values()].filter(({ tunnelId }) => tunnelId === seen.tunnelId);
      if (seen.kind === 'drop') {
        if (there.length > 0 && this.suspendsSingly && !this.replaced.has(seen.tunnelId))
          this.interruptions.push(`cut with ${JSON.stringify(there)}`);
        return;
      }
      for (const { rule } of there)
        if (
          !seen.rules.some(({ hostname, service }) => hostname === rule.hostname && service === rule.service)
        )
          this.interruptions.push(`${JSON.stringify(rule)} is not in ${JSON.stringify(seen.rules)}`);
    };
  }

  /** The last orders and runs. */
  recent(): string {
    return this.done.slice(-30).join('; ');
  }

  /** An order of somebody, a run of the worker, or both at once. */
  async step(): Promise<void> {
    const { random } = this;
    const parts = [random.chance(0.7) ? this.order() : null, random.chance(0.7) ? this.work() : null];
    await Promise.all(parts);
    await this.lookWhatServes();
  }

  private async order(): Promise<void> {
    const { random, world } = this;
    const ids = [...this.model.keys()];
    const kind = random.pick([
      'create',
      'create',
      'edit',
      'edit',
      'remove',
      'suspend',
      'pause',
      'recreate',
      'domain',
      'move',
      'move',
      'server',
    ] as const);
    if (kind === 'create' || ids.length === 0) return this.create();
    if (kind === 'server') return this.orderOfServer();
    const id = random.pick(ids);
    const model = this.model.get(id);
    const before = await world.rowOf(id);
    if (!model || !before) return;
    try {
      switch (kind) {
        case 'edit': {
          const label = random.chance(0.4) ? this.label() : model.label;
          const port = this.port();
          this.touch(id);
          this.done.push(`edit ${id} to ${label} ${port}`);
          await world.edit(id, label, port);
          this.model.set(id, { ...model, label, port, isUnsure: this.unsureAfter(model, label, port) });
          return;
        }
        case 'remove':
          this.touch(id);
          this.model.delete(id);
          this.done.push(`remove ${id}`);
          // Its tunnel may go with it.
          if (before.applied) this.mayCut(before);
          await world.remove(id);
          return;
        case 'suspend':
          this.touch(id);
          this.done.push(`${model.suspended ? 'lift' : 'suspend'} ${id}`);
          this.model.set(id, { ...model, suspended: !model.suspended });
          await (model.suspended ? world.lift(id) : world.suspend(id));
          return;
        case 'pause':
          this.touch(id);
          this.done.push(`${model.paused ? 'resume' : 'pause'} ${id}`);
          this.model.set(id, { ...model, paused: !model.paused });
          await (model.paused ? world.resume(id) : world.pause(id));
          return;
        case 'domain': {
          this.touch(id);
          const [own] = (await world.domains()).filter(({ proxyId, served }) => proxyId === id && served);
          this.done.push(`${own ? 'unserve' : 'serve'} ${id}`);
          if (own) return await world.unserve(id, own.host);
          this.labels += 1;
          return await world.serve(id, `eigene-${this.labels}.${domain}`);
        }
        case 'move': {
          const servers = (await world.servers()).filter(({ removedAt }) => removedAt === null);
          const target = random.pick(servers);
          // An implicit server that is left goes, with its tunnel.
          this.mayCut(before);
          if (random.chance(0.2)) {
            this.done.push(`move ${id} to a new server`);
            await world.moveToNew(id, `Neu ${id}`);
            return;
          }
          this.done.push(`move ${id} to server ${target.id}`);
          await world.move(id, target.id);
          return;
        }
        case 'recreate':
          this.done.push(`recreate ${id}`);
          this.mayCut(before);
          await world.recreate(id);
      }
    } catch (error) {
      // Their order waits, or was refused while they waited.
      if (!(error instanceof AppError)) throw error;
      this.done.push(`→ ${error.code}`);
      const now = this.model.get(id);
      if (now && kind !== 'recreate' && kind !== 'move') this.model.set(id, { ...now, isUnsure: true });
    }
  }

  /** Somebody orders something of a server, whether it is possible or not. */
  private async orderOfServer(): Promise<void> {
    const { random, world } = this;
    const servers = (await world.servers()).filter(({ removedAt }) => removedAt === null);
    const kind = random.pick(['create', 'rename', 'delete', 'recreate'] as const);
    const server = random.pick(servers);
    this.done.push(`${kind} server ${kind === 'create' ? '' : server.id}`);
    try {
      if (kind === 'create' && servers.length < mostServers) await world.createServer('Maschine');
      if (kind === 'rename') await world.renameServer(server.id, `Maschine ${this.done.length}`);
      if (kind === 'delete') await world.deleteServer(server.id);
      if (kind !== 'recreate') return;
      if (server.applied) this.replaced.add(server.applied.tunnelId);
      await world.recreateServer(server.id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.done.push(`→ ${error.code}`);
    }
  }

  private async create(): Promise<void> {
    const { random, world } = this;
    const servers = (await world.servers()).filter(({ removedAt }) => removedAt === null);
    const [label, port] = [this.label(), this.port()];
    const isNew = servers.length === 0 || (servers.length < mostServers && random.chance(0.3));
    const server = isNew ? null : random.pick(servers);
    if (this.model.size >= mostServers * mostProxies) return;
    try {
      const id = await world.create(label, port, server?.uuid ?? null);
      this.done.push(`create ${id} ${label} ${port} on ${server?.id ?? 'a new server'}`);
      const isUnsure = this.unsureAfter(null, label, port);
      this.model.set(id, { label, port, suspended: false, paused: false, isUnsure });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }

  private async work(): Promise<void> {
    const { random, world, front } = this;
    const chance = random.pick([0, 0, 0.05, 0.3]);
    front.fate = () => (random.chance(chance) ? random.pick<Fate>(['500', 'drop', 'lose']) : 'pass');
    const dies = new AbortController();
    const isDead = random.chance(0.15);
    this.callsLeft = isDead ? random.below(6) : undefined;
    const acquire = async () => {
      if (this.callsLeft === undefined) return;
      if (this.callsLeft === 0) dies.abort(new Error('the worker dies'));
      this.callsLeft -= 1;
    };
    const isLost = random.chance(0.1);
    const changes: Partial<JobContext> = {
      stopping: dies.signal,
      budget: { acquire, pause: async () => {} },
    };
    this.done.push(`work${isDead ? ', dies' : ''}${isLost ? ', report lost' : ''} at ${chance}`);
    if (random.chance(0.3)) await world.wakeAll();
    const [scanned] = random.chance(0.1) ? await world.servers() : [];
    if (scanned) await world.scan(scanned.uuid);
    await world.work({
      ...changes,
      ...(isLost && { report: () => Promise.reject(new Error('the report is lost')) }),
    });
  }

  /** Which rules are known to be in force, of proxies that nobody changes. */
  private async lookWhatServes(): Promise<void> {
    const rows = await this.world.proxies();
    for (const row of rows) {
      const isSettled = row.generation === row.appliedGeneration && row.removedAt === null;
      const { applied } = row;
      const isOpen = row.suspendedAt === null && row.pausedAt === null;
      if (isSettled && isOpen && applied && !applied.suspended && !applied.paused)
        this.serving.set(row.id, {
          tunnelId: applied.tunnelId,
          rule: { hostname: applied.hostname, service: applied.origin },
        });
      // Until one that moves has arrived, the tunnel that it leaves serves it.
      else if (row.movedFrom === null) this.serving.delete(row.id);
    }
    for (const id of this.serving.keys()) if (!rows.some((row) => row.id === id)) this.serving.delete(id);
  }

  private touch(id: number): void {
    this.serving.delete(id);
  }

  /** The connections of a server may be cut from now on. */
  private mayCut({ applied }: ProxyRow): void {
    if (applied) this.replaced.add(applied.tunnelId);
  }

  private unsureAfter(before: Model | null, label: string, port: number): boolean {
    return (before?.isUnsure ?? false) || taken.includes(label) || port === poisonPort;
  }

  private label(): string {
    this.labels += 1;
    return this.random.chance(0.15) ? this.random.pick(taken) : `p${this.labels}`;
  }

  private port(): number {
    return this.random.chance(0.12) ? poisonPort : 2_000 + this.random.below(1_000);
  }

  /** Lets everything work and end; then what is wrong. */
  async faultsAtRest(): Promise<string[]> {
    const { world, front } = this;
    front.fate = () => 'pass';
    for (let round = 0; round < 20; round += 1) {
      const lagging = await world.wakeAll();
      let worked = false;
      while (await world.work()) {
        worked = true;
        await this.lookWhatServes();
      }
      if (lagging === 0 && !worked) break;
    }
    this.replaced.clear();
    this.done.push('at rest');
    const rows = await world.proxies();
    const servers = await world.servers();
    return [
      ...(await this.faultsAtProvider(rows, servers)),
      ...rows.flatMap((row) => this.faultsOf(row)),
      ...[...this.model.keys()].flatMap((id) => (rows.some((row) => row.id === id) ? [] : [`${id} is lost`])),
      ...servers.flatMap((server) => {
        const own = rows.filter(({ serverId }) => serverId === server.id);
        const isSame = own.every(
          ({ tunnelHealth, applied, incarnation }) =>
            incarnation === server.incarnation && (!applied || tunnelHealth === server.tunnelHealth),
        );
        const isLeft = own.length === 0 && server.kind === 'implicit';
        const isRight = !isLeft && isSame && server.generation === server.appliedGeneration;
        return isRight ? [] : [`server ${JSON.stringify(server)} with ${own.length} proxies`];
      }),
    ];
  }

  /** A proxy is as it was ordered, unless that was refused; then it is as it was served before, or nothing of it is served. */
  private faultsOf(row: ProxyRow): string[] {
    const model = this.model.get(row.id);
    const { hostname, adminPort, applied } = row;
    const name = `proxy ${JSON.stringify({ id: row.id, hostname, adminPort, applied, status: row.status })}`;
    if (!model || row.removedAt) return [`${name} should be gone`];
    if (row.generation !== row.appliedGeneration) return [`${name} lags`];
    const isServed = applied?.hostname === hostname && applied.origin === `http://127.0.0.1:${adminPort}`;
    if (!isServed && (applied || row.status !== 'error')) return [`${name} is not served as it is`];
    if ((row.suspendedAt !== null) !== model.suspended) return [`${name} suspended`];
    if ((row.pausedAt !== null) !== model.paused) return [`${name} paused`];
    const { suspended: isSuspended = false, paused: isPaused = false } = applied ?? {};
    const isClosed = isSuspended || isPaused;
    // What no connector would be let have stays closed when a suspension or a pause ends.
    const staysClosed = isClosed && model.isUnsure && row.status === 'error';
    if (applied && isSuspended !== model.suspended && !staysClosed)
      return [`${name} suspended at the provider`];
    if (applied && isPaused !== model.paused && !staysClosed) return [`${name} paused at the provider`];
    const isTaken = taken.some((label) => hostname.startsWith(`${label}.`));
    if (applied && (isTaken || (adminPort === poisonPort && !isClosed))) return [`${name} was refused`];
    if (model.isUnsure) return [];
    const isRight = hostname === `${model.label}.${domain}` && adminPort === model.port && applied !== null;
    return isRight ? [] : [`${name} is not ${JSON.stringify(model)}`];
  }

  private async faultsAtProvider(
    rows: readonly ProxyRow[],
    servers: Awaited<ReturnType<World['servers']>>,
  ): Promise<string[]> {
    const provider = createProvider(this.settings);
    const found = {
      tunnels: (await provider.findTunnels('talpa-')).map(({ id, name }) => `${name} ${id}`).sort(),
      records: (await provider.findRecords({ commentPrefix: 'talpa ' }))
        .map(({ hostname, content, comment }) => `${hostname} ${content} ${comment}`)
        .sort(),
    };
    const tunnelOf = new Map(servers.map(({ id, applied }) => [id, applied?.tunnelId]));
    const served = rows.filter(({ applied }) => applied !== null);
    const domains = await this.world.domains();
    /** What was refused for good has the domains it had. */
    const namesOf = ({ id, hostname, applied, status }: ProxyRow) => {
      const wanted = domains
        .filter(({ proxyId, served }) => proxyId === id && served)
        .map(({ host }) => host);
      return [hostname, ...(status === 'error' ? (applied?.domains ?? []) : wanted)];
    };
    const wanted = {
      tunnels: servers
        .map(({ uuid, incarnation, applied }) => `talpa-test1-${uuid}-g${incarnation} ${applied?.tunnelId}`)
        .sort(),
      records: served
        .flatMap((row) => namesOf(row).map((hostname) => ({ ...row, hostname })))
        .map(
          ({ hostname, uuid, serverId }) =>
            `${hostname} ${tunnelOf.get(serverId)}.cfargotunnel.com talpa test1 ${uuid}`,
        )
        .sort(),
    };
    const faults =
      JSON.stringify(found) === JSON.stringify(wanted) ? [] : [JSON.stringify({ found, wanted })];
    for (const { id, applied } of servers) {
      const own = served.filter(({ serverId }) => serverId === id);
      const rules = own.flatMap((row) =>
        namesOf(row).map((hostname) => ({
          hostname,
          service: serviceOf(row),
        })),
      );
      const isClosed = own.length > 0 && own.every((row) => row.applied?.suspended);
      const right = isClosed ? [{ service: 'http_status:403' }] : [...rules, { service: 'http_status:404' }];
      const there = this.front.configurations.get(applied?.tunnelId ?? '');
      // With nothing to serve it need not be configured.
      if (own.length > 0 && JSON.stringify(there) !== JSON.stringify(right))
        faults.push(
          `server ${id} configured ${JSON.stringify(there)}, not ${JSON.stringify(right)} for ${JSON.stringify(own)}`,
        );
    }
    return faults;
  }
}
