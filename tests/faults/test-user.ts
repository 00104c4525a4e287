import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type ProxyConfig, planOf, type Tier } from '@talpa/contracts';
import { Client, testPassword } from '@talpa/test-kit/client';
import type { Random } from '@talpa/test-kit/requests/random';
import { Keys } from './keys.ts';
import { Known } from './known.ts';
import { OpenPage } from './open-page.ts';
import { accuse, attempt, type Journal } from './outcome.ts';

/** What a proxy was given; null: there is none (any more). */
type Entries = { readonly serverName: string; readonly adminPort: number } | null;

interface KnownProxy {
  /** Null until it was seen. */
  id: number | null;
  readonly entries: Known<Entries>;
  /** The tunnel it must have; null: not known. */
  tunnelId: string | null;
}

const plans = ['basic', 'premium', 'enterprise'] as const satisfies readonly Tier[];

/** The email address that somebody enters. */
export const addressOf = (name: string) => `${name}@example.com`;

/** A user of the panel, one call after the other, with a record of what was acknowledged. */
export class TestUser {
  readonly client: Client;
  readonly name: string;
  readonly userId: number;
  readonly plan: Known<Tier | null>;
  readonly proxies: KnownProxy[] = [];
  /** Cookies of sessions that were opened, and of those that were ended. */
  readonly openSessions: string[] = [];
  readonly endedSessions: string[] = [];
  readonly keys: Keys;
  readonly page: OpenPage;
  private readonly journal: Journal;
  private readonly random: Random;

  private constructor(client: Client, name: string, userId: number, journal: Journal, random: Random) {
    this.client = client;
    this.name = name;
    this.userId = userId;
    this.journal = journal;
    this.random = random;
    this.plan = new Known<Tier | null>(null, journal);
    this.openSessions.push(client.cookie);
    this.keys = new Keys(client, journal, random);
    this.page = new OpenPage(client);
  }

  /** Registers somebody; null when that was not acknowledged. */
  static async register(base: string, journal: Journal, random: Random): Promise<TestUser | null> {
    const client = new Client(base);
    const name = `f${random.word(14)}`;
    const response = await attempt(journal, client, 'POST /api/register', {
      username: name,
      password: testPassword,
      // The email that verifies it is due with the registration.
      email: addressOf(name),
    });
    if (response.kind === 'refused') accuse(journal, `registering ${name} was refused: ${response.code}`);
    return response.kind === 'done' ? new TestUser(client, name, response.body.id, journal, random) : null;
  }

  /** Does one thing. */
  async act(): Promise<void> {
    await this.settleDoubts();
    const dice = this.random.fraction();
    const free = this.proxies.filter((proxy) => proxy.id !== null && !proxy.entries.inDoubt);
    const proxy = free.length > 0 ? this.random.pick(free) : undefined;
    if (dice < 0.04 || (!this.plan.inDoubt && this.plan.possible.includes(null))) return this.changePlan();
    if (dice < 0.06) return this.signIn();
    if (dice < 0.08) return this.signOut();
    if (dice < 0.12) return this.useKeys();
    if (dice < 0.19) return void (await this.look());
    // Now and then beyond the limit.
    const beyond = this.random.chance(0.02);
    if (!proxy || dice < 0.45) return this.hasRoom || beyond ? this.create() : this.wait();
    if (dice < 0.75) return this.edit(proxy);
    if (dice < 0.85) return this.recreate(proxy);
    return this.remove(proxy);
  }

  private async useKeys(): Promise<void> {
    for (const fault of await this.keys.act()) this.accuse(fault);
  }

  /** Nothing can be done while all is in doubt. */
  private async wait(): Promise<void> {
    await pause(100);
    await this.look();
  }

  /** Whether there is room for another proxy for certain. */
  private get hasRoom(): boolean {
    return limitsOf(this.plan.possible).every((limit) => this.proxies.length < limit);
  }

  /** Whether there is none for certain: a plan with less counts when proxies has applied it. */
  private get isFull(): boolean {
    const certain = this.proxies.filter((proxy) => !proxy.entries.inDoubt).length;
    return limitsOf(this.plan.inProjections).every((limit) => certain >= limit);
  }

  private newEntries(): NonNullable<Entries> {
    return { serverName: `F ${this.random.word(14)}`, adminPort: 1 + this.random.below(65_535) };
  }

  private async create(): Promise<void> {
    const entries = this.newEntries();
    const response = await attempt(this.journal, this.client, 'POST /api/tunnel-configs', {
      ...entries,
      serverIP: '127.0.0.1',
    });
    if (response.kind === 'refused') {
      if (response.code !== 'proxy_limit_reached')
        return this.accuse(`a create was refused: ${response.code}`);
      if (this.hasRoom) this.accuse(`the limit was said to be reached at ${this.proxies.length} proxies`);
      return;
    }
    if (response.kind === 'done' && this.isFull)
      this.accuse(`a proxy too many was made beside ${this.proxies.length}`);
    const entriesKnown = new Known<Entries>(null, this.journal);
    const proxy: KnownProxy = { id: null, entries: entriesKnown, tunnelId: null };
    this.proxies.push(proxy);
    if (response.kind === 'unknown') return proxy.entries.maybe(entries);
    proxy.id = response.body.proxy.id;
    proxy.tunnelId = response.body.proxy.cfTunnelId;
    proxy.entries.is(entries);
  }

  private async edit(proxy: KnownProxy): Promise<void> {
    const [before] = proxy.entries.possible;
    if (!before) return;
    const changed = this.random.chance(0.5)
      ? this.newEntries()
      : { ...this.newEntries(), serverName: before.serverName };
    const response = await attempt(this.journal, this.client, 'PUT /api/tunnel-configs/:id', {
      id: proxy.id,
      ...changed,
      serverIP: '127.0.0.1',
    });
    if (response.kind === 'done') proxy.entries.is(changed);
    else if (response.kind === 'unknown') proxy.entries.maybe(changed);
    else this.accuse(`an edit of ${proxy.id} was refused: ${response.code}`);
  }

  private async recreate(proxy: KnownProxy): Promise<void> {
    const response = await attempt(this.journal, this.client, 'POST /api/recreate-tunnel/:id', {
      id: proxy.id,
    });
    if (response.kind === 'done') {
      if (response.body.tunnelId === proxy.tunnelId) this.accuse(`recreating ${proxy.id} kept its tunnel`);
      proxy.tunnelId = response.body.tunnelId;
    } else if (response.kind === 'unknown') {
      proxy.tunnelId = null;
      const [entries] = proxy.entries.possible;
      proxy.entries.maybe(entries ?? null);
    } else if (response.code !== 'proxy_pending')
      this.accuse(`recreating ${proxy.id} was refused: ${response.code}`);
  }

  private async remove(proxy: KnownProxy): Promise<void> {
    const response = await attempt(this.journal, this.client, 'DELETE /api/tunnel-configs/:id', {
      id: proxy.id,
    });
    if (response.kind === 'done') this.forget(proxy);
    else if (response.kind === 'unknown') proxy.entries.maybe(null);
    else this.accuse(`deleting ${proxy.id} was refused: ${response.code}`);
  }

  private async changePlan(): Promise<void> {
    if (this.plan.inDoubt) return;
    const planId = this.random.pick(plans.filter((plan) => plan !== this.plan.possible[0]));
    const response = await attempt(this.journal, this.client, 'POST /api/user/subscription', { planId });
    if (response.kind === 'done') this.plan.is(planId);
    else if (response.kind === 'unknown') this.plan.maybe(planId);
    else this.accuse(`the plan ${planId} was refused: ${response.code}`);
  }

  /** Opens one more session and goes on with it. */
  private async signIn(): Promise<void> {
    const client = new Client(this.client.base);
    const input = { username: this.name, password: testPassword };
    const response = await attempt(this.journal, client, 'POST /api/login', input);
    if (response.kind === 'refused') return this.accuse(`signing in was refused: ${response.code}`);
    if (response.kind === 'unknown') return;
    this.openSessions.push(client.cookie);
    this.client.cookie = client.cookie;
  }

  /** Ends an older session. */
  private async signOut(): Promise<void> {
    const others = this.openSessions.filter((cookie) => cookie !== this.client.cookie);
    if (others.length === 0) return;
    const client = new Client(this.client.base);
    const cookie = this.random.pick(others);
    client.cookie = cookie;
    const response = await attempt(this.journal, client, 'POST /api/logout', {});
    this.openSessions.splice(this.openSessions.indexOf(cookie), 1);
    if (response.kind === 'done') this.endedSessions.push(cookie);
  }

  /** What is shown must be what was acknowledged, at any moment. @returns why nothing was shown, if so */
  async look(): Promise<string[]> {
    const list = await attempt(this.journal, this.client, 'GET /api/tunnel-configs', {});
    const subscription = await attempt(this.journal, this.client, 'GET /api/user/subscription', {});
    for (const response of [list, subscription])
      if (response.kind === 'refused') this.accuse(`a list was refused: ${response.code}`);
    if (subscription.kind === 'done' && !this.plan.possible.includes(subscription.body.tier))
      this.accuse(`the plan is shown as ${subscription.body.tier}, not ${this.plan.possible}`);
    if (list.kind === 'done') this.compare(list.body);
    return [list, subscription].flatMap((response) => (response.kind === 'unknown' ? [response.why] : []));
  }

  /** Looks what has become of calls whose end was not known, once nothing can follow any more. */
  async settleDoubts(): Promise<void> {
    if (this.plan.mayBeSettled) {
      const response = await attempt(this.journal, this.client, 'GET /api/user/subscription', {});
      if (response.kind === 'done' && this.plan.possible.includes(response.body.tier))
        this.plan.is(response.body.tier);
    }
    const ready = this.proxies.filter((proxy) => proxy.entries.mayBeSettled);
    if (ready.length === 0) return;
    const list = await attempt(this.journal, this.client, 'GET /api/tunnel-configs', {});
    if (list.kind !== 'done') return;
    for (const proxy of ready) {
      const shown = find(proxy, list.body);
      if (!shown) {
        if (!proxy.entries.possible.includes(null)) this.accuse(`the proxy ${proxy.id} is gone`);
        this.forget(proxy);
        continue;
      }
      proxy.id = shown.id;
      if (!matches(proxy, shown))
        this.accuse(`the proxy ${describe(proxy)} is shown as ${JSON.stringify(shown)}`);
      proxy.entries.is(entriesOf(shown));
    }
  }

  get inDoubt(): boolean {
    return this.plan.inDoubt || this.proxies.some((proxy) => proxy.entries.inDoubt);
  }

  /** Compares what is shown with what was acknowledged. */
  compare(list: readonly ProxyConfig[]): void {
    for (const proxy of this.proxies) {
      const shown = find(proxy, list);
      if (shown ? !matches(proxy, shown) : !proxy.entries.possible.includes(null))
        this.accuse(`the proxy ${describe(proxy)} is shown as ${JSON.stringify(shown)}`);
    }
    const known = this.proxies.flatMap((proxy) => find(proxy, list)?.id ?? []);
    for (const shown of list)
      if (!known.includes(shown.id))
        this.accuse(`a proxy that is not known is shown: ${JSON.stringify(shown)}`);
  }

  private forget(proxy: KnownProxy): void {
    this.proxies.splice(this.proxies.indexOf(proxy), 1);
  }

  private accuse(violation: string): void {
    accuse(this.journal, `${this.name}: ${violation}`);
  }
}

const limitsOf = (plans: readonly (Tier | null)[]) =>
  plans.map((plan) => (plan ? planOf(plan).proxyLimit : 0));

const entriesOf = ({ serverName, adminPort }: ProxyConfig) => ({ serverName, adminPort });

const find = (proxy: KnownProxy, list: readonly ProxyConfig[]) =>
  list.find((shown) =>
    proxy.id === null
      ? proxy.entries.possible.some((entries) => entries?.serverName === shown.serverName)
      : shown.id === proxy.id,
  );

const matches = (proxy: KnownProxy, shown: ProxyConfig) =>
  proxy.entries.possible.some((entries) => isDeepStrictEqual(entries, entriesOf(shown)));

const describe = (proxy: KnownProxy) => `${proxy.id} ${JSON.stringify(proxy.entries.possible)}`;
