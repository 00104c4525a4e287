import { compare } from './differences.ts';
import type { startOrigin } from './origin.ts';
import type { Connection } from './plan.ts';
import { type Destination, type Sent, visit } from './visitor.ts';
import { visitByHttp2 } from './visitor-http2.ts';

/** A proxy: its host, and the origin behind it, which knows its own exchanges alone. */
interface Proxy {
  readonly origin: Awaited<ReturnType<typeof startOrigin>>;
  readonly host: string;
}
/** Where exchanges take place. */
export interface World {
  /** Behind one connector. */
  readonly proxies: readonly Proxy[];
  readonly ca: string;
  /** Ports of the two edges. */
  readonly edges: readonly [EdgePorts, EdgePorts];
}
export interface EdgePorts {
  readonly plain: number;
  readonly tls: number;
}

/** Begins the fault of an exchange that hangs. */
export const neverEnded = 'never came to an end';
const tickMs = 100;

let runs = 0;

/** Makes every exchange of a connection directly and through the tunnel. @returns what differs that must not. */
export async function differencesOf(
  { proxies, ca, edges }: World,
  connection: Connection,
  patienceMs: number,
): Promise<string[]> {
  runs += 1;
  const run = runs;
  const { origin, host } = proxies[connection.proxy] as Proxy;
  // The edge limits its own pages by address: each connection comes from another one.
  const from = `127.${1 + (run % 250)}.${(run >> 8) % 250}.${1 + (run % 200)}`;
  const prepare = (way: string): Sent[] =>
    connection.plans.map((plan, index) => {
      const name = `${run}-${index}-${way}`;
      return { ...origin.expect(name, run * 8 + index, plan), name };
    });
  const [direct, through] = [prepare('direct'), prepare('through')];
  const edge = edges[connection.edge];
  const to: Destination =
    connection.kind === 'plain' ? { port: edge.plain, host, from } : { port: edge.tls, host, from, ca };
  const visitDirectly = async () => {
    const views = [];
    for (const sent of direct)
      views.push(
        ...(await visit({ port: origin.port, host, from: '127.0.0.1' }, [sent], {
          isPipelined: false,
          isSlow: false,
        })),
      );
    return views;
  };
  const visitThrough = () =>
    connection.kind === 'http2' ? visitByHttp2(to, through, connection) : visit(to, through, connection);
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  let waitsFor = 'the visitors';
  // Ticks, and no time: on a machine that has none for us nothing hangs.
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    if (ticks >= patienceMs / tickMs) reject(new Error(`${neverEnded}: ${waitsFor}`));
  }, tickMs);
  try {
    const done = (other: string) => () => {
      waitsFor = `the visitor ${other}`;
    };
    const [byItself, byTunnel] = [visitDirectly(), visitThrough()];
    byItself.then(done('through the tunnel'), () => {});
    byTunnel.then(done('who comes directly'), () => {});
    const work = Promise.all([byItself, byTunnel]);
    const [ofDirect, ofThrough] = await Promise.race([work, tooLate]);
    const faults: string[] = [];
    for (const [index, plan] of connection.plans.entries()) {
      const [one, other] = [ofDirect[index], ofThrough[index]];
      if (!one || !other) return [`exchange ${index}: there is no response`];
      waitsFor = `what the origin saw (the visitor: ${one.status} directly, ${other.status} through the tunnel)`;
      const seen = Promise.all([direct[index]?.seen.promise, through[index]?.seen.promise]);
      const [seenDirectly, seenThrough] = await Promise.race([seen, tooLate]);
      if (!seenDirectly || !seenThrough) continue;
      const views = [
        { visitor: one, origin: seenDirectly },
        { visitor: other, origin: seenThrough },
      ] as const;
      const key = run * 8 + index;
      faults.push(
        ...compare(...views, { plan, key, connection }).map((line) => `exchange ${index}: ${line}`),
      );
    }
    return faults;
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    clearInterval(timer);
    for (const { name } of [...direct, ...through]) origin.forget(name);
  }
}
