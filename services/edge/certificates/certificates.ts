import type { SecureContext } from 'node:tls';
import { boundedCache } from '@talpa/service-kit/bounded-cache';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import type { Log } from '@talpa/service-kit/log';
import { createContexts, type Found, loadCertificates } from './load.ts';

/** The certificates of this installation, as an edge serves them. */
export interface Certificates {
  /** What there is for a host name. While the database is away, what was known before. */
  find(host: string): Promise<Found>;
  /** The certificate of a host name, also if it has to be ordered first; null when there is none in time. */
  wait(host: string): Promise<SecureContext | null>;
  /** Has a host name's certificate ordered as soon as that can be. @returns how to give up */
  order(host: string): () => void;
  /** One has changed: all are loaded again before they are used again, because a wildcard concerns every name. */
  forget(): void;
}

interface Known {
  readonly found: Found;
  readonly at: number;
  /** Of the generation in which it was loaded; forgetting begins another one. */
  readonly generation: number;
}

/** Changes come as notifications; this is for those that were missed. */
const readyMs = 300_000;
const otherMs = 1_000;
const maximumKnown = 5_000;
/** Shorter than a TLS handshake may take. */
const waitMs = 12_000;
const pollMs = 1_000;

/** What may have a certificate; anything else, an IP address for one, does not reach the database. */
const isName = /^(?=.{1,253}$)[a-z0-9_-]+(\.[a-z0-9_-]+)*\.[a-z][a-z0-9-]*$/;

interface Names {
  /** Wanted without anybody asking: its row comes with the process that orders it. */
  readonly panelHost: string;
}

/** @param keys CERTIFICATE_KEYS */
export function createCertificates(sql: Sql, keys: KeyRing, { panelHost }: Names, log: Log): Certificates {
  const contextOf = createContexts(keys, maximumKnown);
  const known = boundedCache<string, Known>(maximumKnown);
  /** Names that the next look is for, each with who waits for it. */
  let next = new Map<string, PromiseWithResolvers<Found>>();
  let isLooking = false;
  let generation = 0;
  let changed = Promise.withResolvers<void>();

  const lookAll = async () => {
    isLooking = true;
    for (let turn = next; turn.size > 0; turn = next) {
      next = new Map();
      await look(turn);
    }
    isLooking = false;
  };
  const look = async (turn: ReadonlyMap<string, PromiseWithResolvers<Found>>) => {
    const since = generation;
    try {
      const found = await loadCertificates(sql, contextOf, [...turn.keys()]);
      for (const [host, { resolve }] of turn) {
        const none = { state: host === panelHost ? ('pending' as const) : ('none' as const) };
        const there = found.get(host);
        const one = there && there.state !== 'none' ? there : none;
        known.set(host, { found: one, at: performance.now(), generation: since });
        resolve(one);
      }
    } catch (error) {
      log.warn({ err: error, names: turn.size }, 'certificates could not be loaded, those known go on');
      for (const [host, { resolve, reject }] of turn) {
        const before = known.peek(host);
        if (before) resolve(before.found);
        else reject(error);
      }
    }
  };
  const isFresh = ({ found, at, generation: since }: Known) =>
    since === generation && performance.now() - at < (found.state === 'ready' ? readyMs : otherMs);
  const load = (host: string): Promise<Found> => {
    const waiting = next.get(host);
    if (waiting) return waiting.promise;
    const loading = Promise.withResolvers<Found>();
    next.set(host, loading);
    if (!isLooking) void lookAll();
    return loading.promise;
  };
  const find = async (host: string): Promise<Found> => {
    if (!isName.test(host)) return { state: 'none' };
    const before = known.get(host);
    return before && isFresh(before) ? before.found : load(host);
  };
  return {
    find,
    wait: async (host) => {
      for (const end = performance.now() + waitMs; performance.now() < end; ) {
        const change = changed.promise;
        const found = await find(host);
        if (found.state === 'ready') return found.context;
        if (found.state !== 'pending') return null;
        await Promise.race([change, new Promise((done) => setTimeout(done, pollMs).unref())]);
      }
      return null;
    },
    order: (host) => {
      // The row is made by another process, which may start later.
      const askAgain = async () => {
        const { state } = await find(host).catch(() => ({ state: 'none' as const }));
        if (state === 'ready' || state === 'failed') clearInterval(timer);
      };
      const timer = setInterval(() => void askAgain(), pollMs);
      void askAgain();
      return () => clearInterval(timer);
    },
    forget: () => {
      generation += 1;
      changed.resolve();
      changed = Promise.withResolvers();
    },
  };
}
