import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { AccessPolicy } from '@talpa/contracts';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { proxyTo, startTestConnector } from '@talpa/test-kit/connector/connector';
import type { Configured } from '@talpa/test-kit/connector/connectors';
import { ask } from '@talpa/test-kit/raw-http';
import type { OnStream } from '@talpa/test-kit/tunnel-connection';
import { until } from '@talpa/test-kit/wait';
import type { Talpa } from '../../launcher/system.ts';
import { accuse, attempt, type Journal } from './outcome.ts';

/** A change of a policy holds on every edge after so many ms. */
const holdsAfterMs = 1_000;
/** Responses that are judged before the policy changes again. */
const judgedBetween = 4;
const pin = '493817';
const behind = 'the panel behind';
const everyone: AccessPolicy = { kind: 'rules', rules: [], otherwise: 'allow' };
const nobody: AccessPolicy = { kind: 'rules', rules: [], otherwise: 'deny' };
const wall: AccessPolicy = {
  ...{ kind: 'wall', methods: ['pin'], require: 'any', rules: [], days: 7, emails: [], preflights: false },
};

/** What visitors may do, from when on; null: it is being changed, or the end of the change is not known. */
interface Standing {
  readonly isAllowed: boolean | null;
  readonly since: number;
}

/** Visitors of one proxy, whose access its owner grants and revokes all the time. */
export interface Guarding {
  /** Responses that were judged: to visitors who were allowed in, and to those who were not. */
  readonly judged: { allowed: number; denied: number };
  hasJudged(ofEachKind: number): boolean;
  stop(): Promise<void>;
}

/**
 * Lets visitors ask a proxy while its owner changes who may: everyone, nobody, or who has entered a PIN. A visitor
 * who is let in a second after the change that was to keep them out was acknowledged, or kept out while they may come in, is a violation.
 */
export async function startGuarding(talpa: Talpa, journal: Journal): Promise<Guarding> {
  const origin = createServer((_request, response) => response.end(behind));
  await new Promise<void>((done) => origin.listen(0, '127.0.0.1', done));
  const { client } = await newUser(talpa.url, 'free');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  // A busy machine may set it up later than the panel waits.
  const { token } = await until('the token of its tunnel', () =>
    client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id }),
  );
  const judged = { allowed: 0, denied: 0 };
  let stopping = false;
  const isStopping = () => stopping;
  const { port } = origin.address() as AddressInfo;
  const connector = stayConnected(talpa, token, () => proxyTo(port), isStopping);
  const visits = createVisits(talpa, proxy.cfDomain, journal, judged);
  await until('the first visitor to be served', () => visits.isServed());
  const work = [changeInTurn(client, proxy.id, visits, journal, isStopping), visits.keepAsking(isStopping)];
  return {
    judged,
    hasJudged: (ofEachKind) => judged.allowed >= ofEachKind && judged.denied >= ofEachKind,
    stop: async () => {
      stopping = true;
      await Promise.all(work);
      await connector.stop();
      origin.closeAllConnections();
      origin.close();
    },
  };
}

/** A connector that comes back whenever the edge has lost it. @param serve what it does with requests */
export function stayConnected(
  talpa: Talpa,
  token: string,
  serve: (links: () => Configured) => OnStream,
  isStopping: () => boolean,
) {
  let last: Awaited<ReturnType<typeof startTestConnector>> | undefined;
  let since: number | null = null;
  const run = async () => {
    while (!isStopping()) {
      try {
        const { edge } = talpa;
        if (!edge) throw new Error('there is no edge');
        const ca = readFileSync(edge.authorityFile, 'utf8');
        last = await startTestConnector({
          port: edge.connectorPort,
          ca,
          token,
          onStream: serve(() => last?.links ?? []),
        });
        since = Date.now();
        await Promise.race(last.links.map(({ closed }) => closed));
        since = null;
        last.kill();
      } catch {
        // As the real one does.
        await pause(100);
      }
    }
  };
  const running = run();
  return {
    /** Since when all of its connections have been there; null: one is missing. */
    since: () => since,
    stop: async () => {
      last?.kill();
      await running;
    },
  };
}

type Visits = ReturnType<typeof createVisits>;

function createVisits(talpa: Talpa, host: string, journal: Journal, judged: Guarding['judged']) {
  let standing: Standing = { isAllowed: null, since: Date.now() };
  let cookie = '';
  let visitors = 1;
  const send = (
    more: { method?: string; path?: string; body?: string; headers?: Record<string, string> } = {},
  ) => {
    const { edge } = talpa;
    if (!edge) throw new Error('there is no edge');
    // Tries of a PIN are counted by address.
    const from = `127.0.${1 + Math.floor(visitors / 250)}.${1 + (visitors % 250)}`;
    return ask({ port: edge.visitorPort, host, from, ...more, headers: { cookie, ...more.headers } });
  };
  const visit = async () => {
    const before = standing;
    const isCertain = before.isAllowed !== null && Date.now() - before.since > holdsAfterMs;
    const { status, body } = await send();
    // It may have been judged by either.
    if (!isCertain || standing !== before) return;
    if (status === 200 && body === behind && !before.isAllowed)
      accuse(journal, `a visitor was let in ${Date.now() - before.since} ms after their access was revoked`);
    if ((status === 401 || status === 403) && before.isAllowed)
      accuse(
        journal,
        `a visitor was refused with ${status} ${Date.now() - before.since} ms after access was granted`,
      );
    judged[before.isAllowed ? 'allowed' : 'denied'] += 1;
  };
  return {
    judged,
    now: (isAllowed: boolean | null) => {
      standing = { isAllowed, since: Date.now() };
    },
    isServed: async () => (await send()).status === 200,
    /** Enters the PIN. @returns whether that was acknowledged */
    enterPin: async (): Promise<boolean> => {
      visitors += 1;
      const response = await send({
        ...{ method: 'POST', path: '/.talpa/access/pin' },
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ secret: pin, path: '/' }).toString(),
      });
      const [given] = response.headers['set-cookie']?.map((one) => one.split(';')[0] ?? '') ?? [];
      if (response.status === 303 && given) cookie = given;
      return response.status === 303 && given !== undefined;
    },
    keepAsking: async (isStopping: () => boolean) => {
      while (!isStopping()) {
        // An edge that is being started refuses connections.
        await Promise.all([visit(), visit()]).catch(() => pause(50));
        await pause(10);
      }
    },
  };
}

/** Grants and revokes in turn, each when visitors have felt the one before. */
async function changeInTurn(
  client: Client,
  id: number,
  visits: Visits,
  journal: Journal,
  isStopping: () => boolean,
): Promise<void> {
  const set = async (policy: AccessPolicy, isAllowed: boolean) => {
    visits.now(null);
    const { kind } = await attempt(journal, client, 'PUT /api/tunnel-configs/:id/access', {
      ...{ id, policy },
      ...(policy.kind === 'wall' && { pin }),
    });
    if (kind === 'refused') accuse(journal, 'a policy was refused');
    if (kind === 'done') visits.now(isAllowed);
    return kind === 'done';
  };
  /** Who has entered the PIN may come in, until the owner changes the policy again. */
  const pass = async () => {
    visits.now(null);
    const isIn = await visits.enterPin().catch(() => false);
    if (isIn) visits.now(true);
    return isIn;
  };
  const steps = [
    () => set(everyone, true),
    () => set(nobody, false),
    () => set(wall, false),
    pass,
    // The same policy again ends all visits.
    () => set(wall, false),
    pass,
  ];
  for (let step = 0; !isStopping(); step = (step + 1) % steps.length) {
    while (!isStopping() && !(await steps[step]?.())) await pause(50);
    const { allowed, denied } = visits.judged;
    const goal = allowed + denied + judgedBetween;
    while (!isStopping() && visits.judged.allowed + visits.judged.denied < goal) await pause(20);
  }
}
