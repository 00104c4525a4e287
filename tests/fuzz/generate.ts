import type { Random } from '@talpa/test-kit/requests/random';
import { plainInputOf, type TableRoute, tableRoutes } from '@talpa/test-kit/requests/route';
import { sampleOf } from '@talpa/test-kit/requests/samples';
import { z } from 'zod';
import {
  contentTypes,
  hostileBodies,
  hostileHeaders,
  hostileIds,
  hostilePaths,
  hostileQuery,
  hostileValues,
  stowaway,
  unknownFields,
} from './hostile.ts';
import { type ActorName, actorNames, type World } from './world.ts';

/** A request as it goes over the wire. */
export interface FuzzRequest {
  readonly actor: ActorName;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | null;
  readonly chunked: boolean;
  /** The call whose contract its response must keep; null where the address was tampered with. */
  readonly route: TableRoute | null;
  /** Fields of it that the call does not know, by the path that an error names. */
  readonly unknown: readonly (readonly string[])[];
  /** What was done to it, for people. */
  readonly done: readonly string[];
}

/** Those that reach argon2 or the provider, or end a session, come seldom. */
function weightOf({ entry }: TableRoute): number {
  if (entry.limit === 'inviteMember') return 1;
  if (entry.limit || (entry.effect && entry.effect !== 'page')) return 0.08;
  return (entry.deadline ?? 0) >= 12_000 ? 0.3 : 1;
}
const weights = tableRoutes.map(weightOf);
const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);

function pickRoute(random: Random): TableRoute {
  let rest = random.fraction() * totalWeight;
  const index = weights.findIndex((weight) => {
    rest -= weight;
    return rest < 0;
  });
  return tableRoutes[Math.max(index, 0)] as TableRoute;
}

/**
 * Makes up one request: valid in every third case, else with one to three things wrong. Every tenth is a valid one of a
 * call that chance has not served yet, mostly by one who may make it about the thing that was made last.
 * Not fast-check: what it shrinks must fail again by itself, but a request depends on what the earlier ones have left at the server.
 */
export function generate(
  world: World,
  random: Random,
  base: string,
  unserved: () => readonly TableRoute[],
): FuzzRequest {
  const missing = random.chance(0.1) ? unserved() : [];
  const route = missing.length > 0 ? random.pick(missing) : pickRoute(random);
  const isRare = missing.length > 0;
  const who = route.entry.access === 'admin' ? 'admin' : 'user';
  const actor = isRare && random.chance(0.7) ? who : random.pick(actorNames);
  const draft = new Draft(route, actor, world, random, base, isRare);
  if (!isRare && !random.chance(0.35))
    for (let left = 1 + random.below(3); left > 0; left -= 1) draft.spoil();
  return draft.request();
}

/** What a path names beside the proxy it belongs to. */
function partsNamedBy({ params }: TableRoute, world: World): World['domains'] {
  if (params.includes('domainId')) return world.domains;
  if (params.includes('portId')) return world.ports;
  if (params.includes('tokenId')) return world.tokens;
  return params.includes('memberId') ? world.members : [];
}

class Draft {
  private readonly route: TableRoute;
  private readonly actor: ActorName;
  private readonly random: Random;
  private readonly done: string[] = [];
  private method: string;
  private path: string;
  private query = '';
  private body: string | null = null;
  private fields: Record<string, unknown>;
  private headers: Record<string, string | string[]> = {};
  private chunked = false;
  private readonly unknown: string[][] = [];

  constructor(
    route: TableRoute,
    actor: ActorName,
    world: World,
    random: Random,
    base: string,
    isRare: boolean,
  ) {
    this.route = route;
    this.actor = actor;
    this.random = random;
    this.method = route.method;
    const input = random.chance(0.5)
      ? plainInputOf(route, random)
      : (sampleOf(route.entry.input, random) as Record<string, unknown>);
    this.fields = { ...input };
    for (const param of route.params) delete this.fields[param];
    // Nobody has a made-up server.
    if (route.name === 'PUT /api/tunnel-configs/:id/server' && random.chance(0.8)) {
      this.fields.serverId = random.pick(world.ids.server);
      delete this.fields.name;
    }
    if (route.name === 'POST /api/enrolment-keys' && random.chance(0.8)) {
      delete this.fields.serverId;
      delete this.fields.proxyId;
    }
    // No cursor can be made up: with one a list is only ever refused.
    if ('cursor' in this.fields && random.chance(0.9)) delete this.fields.cursor;
    // Nobody has a made-up name, and most made-up ends are in the past.
    if ('memberUntil' in this.fields && random.chance(0.8)) {
      this.fields.memberUntil = null;
      delete this.fields.username;
      delete this.fields.expected;
    }
    const { username, password } = world.actors[actor];
    // Signing in with what is right, too.
    if (route.entry.effect === 'signIn' && username !== '' && random.chance(0.5))
      Object.assign(this.fields, { username, password });
    const { of } = route.entry;
    const parts = partsNamedBy(route, world);
    const part = parts.length > 0 && random.chance(0.8) ? random.pick(parts) : null;
    this.path = route.path.replace(/:(\w+)/g, (_, name: string) => {
      if (part) return name === 'id' ? part.proxyId : String(part.id);
      const known = of ? world.ids[of] : [];
      if (known.length === 0 || !random.chance(0.8)) return random.pick(hostileIds);
      return String(isRare ? known.at(-1) : random.pick(known));
    });
    this.headers = {
      origin: base,
      'accept-language': random.pick(['de', 'en', 'en-GB,de;q=0.5', 'fr']),
      'content-type': 'application/json',
    };
    const { client } = world.actors[actor];
    if (client) this.headers.cookie = client.cookie;
  }

  spoil(): void {
    const { random } = this;
    const ways: [string, number, () => void][] = [
      ['a field', 5, () => this.spoilField()],
      ['an unknown field', 3, () => this.addField()],
      ['a missing field', 1, () => this.dropField()],
      ['the body', 1.5, () => this.spoilBody()],
      ['the content type', 0.7, () => this.spoilType()],
      ['the path', 1, () => this.spoilPath()],
      ['the query', 1.5, () => this.spoilQuery()],
      ['a header', 1.5, () => Object.assign(this.headers, hostileHeaders(random))],
      ['the origin', 0.3, () => delete this.headers.origin],
      ['the method', 0.4, () => this.spoilMethod()],
      ['chunks', 1, () => (this.chunked = true)],
    ];
    let rest = random.fraction() * ways.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight, way] of ways) {
      rest -= weight;
      if (rest >= 0) continue;
      this.done.push(name);
      way();
      return;
    }
  }

  request(): FuzzRequest {
    const inQuery = new URLSearchParams();
    let body = this.body;
    if (this.route.hasBody) body ??= JSON.stringify(this.fields);
    else
      for (const [name, value] of Object.entries(this.fields))
        inQuery.append(wellFormed(name), wellFormed(textOf(value)));
    const query = [inQuery.toString(), this.query].filter(Boolean).join('&');
    return {
      actor: this.actor,
      method: this.method,
      path: query ? `${this.path}?${query}` : this.path,
      headers: this.headers,
      body,
      chunked: this.chunked,
      unknown:
        this.body === null && this.method === this.route.method && !this.path.includes('?')
          ? // What is in a field of a query is a part of its text.
            this.unknown.filter(
              (path) => isIn(this.fields, path) && (this.route.hasBody || path.length === 1),
            )
          : [],
      route:
        tableRoutes.find(({ method, path }) => method === this.method && leadsTo(path, this.path)) ?? null,
      done: this.done,
    };
  }

  /** The name of a field of the call, two levels deep where there are two. */
  private holder(): [Record<string, unknown>, string] | null {
    const names = Object.keys(this.route.entry.input.shape).filter(
      (name) => !this.route.params.includes(name),
    );
    if (names.length === 0) return null;
    const name = this.random.pick(names);
    const inner = this.fields[name];
    if (typeof inner === 'object' && inner !== null && this.random.chance(0.6)) {
      const copy = { ...inner } as Record<string, unknown>;
      this.fields[name] = copy;
      const innerNames = Object.keys(copy);
      if (innerNames.length > 0) return [copy, this.random.pick(innerNames)];
    }
    return [this.fields, name];
  }

  private spoilField(): void {
    const held = this.holder();
    if (held) held[0][held[1]] = this.random.pick(hostileValues);
  }

  /** A name of something else, or one of the call's as somebody may misspell it, on the first or the second level. */
  private addField(): void {
    const { random } = this;
    const held = this.holder();
    const name = held && random.chance(0.5) ? misspelt(held[1], random) : random.pick(unknownFields);
    const fields = held?.[0] ?? this.fields;
    if (Object.hasOwn(fields, name) || name in this.route.entry.input.shape) return;
    const value = random.pick<unknown>([stowaway, [stowaway], { isAdmin: true, note: stowaway }]);
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
    const holders = Object.keys(this.fields).filter((key) => this.fields[key] === fields);
    // In a query an object is one text.
    const isSeen = this.route.hasBody || holders.length === 0;
    if (isSeen && !mayComeBack(this.route, name)) this.unknown.push([...holders, name]);
  }

  private dropField(): void {
    const held = this.holder();
    if (held) delete held[0][held[1]];
  }

  private spoilBody(): void {
    const whole = JSON.stringify(this.fields);
    this.body = this.random.chance(0.3)
      ? whole.slice(0, this.random.below(whole.length + 1))
      : this.random.pick(hostileBodies);
  }

  private spoilType(): void {
    if (this.random.chance(0.2)) delete this.headers['content-type'];
    else this.headers['content-type'] = this.random.pick(contentTypes);
  }

  private spoilPath(): void {
    this.path = this.random.chance(0.6)
      ? this.random.pick(hostilePaths)
      : `${this.path}${this.random.pick(['/', '//', '/..', '%2f', '%00', ';a=b', '.json', '/1', '%20', '?'])}`;
  }

  private spoilQuery(): void {
    this.query = hostileQuery(this.random);
  }

  private spoilMethod(): void {
    this.method = this.random.pick([
      'HEAD',
      'OPTIONS',
      'PATCH',
      'PUT',
      'DELETE',
      'POST',
      'GET',
      'TRACE',
      'PROPFIND',
    ]);
  }
}

/** Whether an address, as it is sent, is one of a call’s. */
function leadsTo(template: string, path: string): boolean {
  const [address = ''] = path.split('?');
  return new RegExp(`^${template.replace(/:\w+/g, '[^/]+')}$`).test(address);
}

/** Whether a PUT responds with a field of that name, so that it takes it back. */
const mayComeBack = ({ method, entry }: TableRoute, name: string) =>
  method === 'PUT' && entry.response instanceof z.ZodObject && name in entry.response.shape;

/** Whether there is still a field at that path: a later change may have taken away what held it. */
function isIn(fields: unknown, [name = '', ...rest]: readonly string[]): boolean {
  if (typeof fields !== 'object' || fields === null || !Object.hasOwn(fields, name)) return false;
  return rest.length === 0 || isIn((fields as Record<string, unknown>)[name], rest);
}

/** A name as somebody may misspell it: a letter too few or twice, in another case, in the plural. */
function misspelt(name: string, random: Random): string {
  const at = random.below(name.length);
  return random.pick([
    `${name.slice(0, at)}${name.slice(at + 1)}`,
    `${name.slice(0, at)}${name[at]}${name.slice(at)}`,
    name.toUpperCase(),
    `${name}s`,
  ]);
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const wellFormed = (text: string) => text.toWellFormed();
