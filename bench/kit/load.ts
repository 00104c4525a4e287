import autocannon from 'autocannon';
import { Pool } from 'undici';
import type { Job, Measured } from './load-job.ts';

/*
 * The load, in a process of its own so that its work is not counted as anybody else's. As many requests as
 * get a response (autocannon), or a given number a second, however many have a response (open arrivals).
 */
process.on('message', async (job: Job) => {
  process.send?.(await (job.rate === undefined ? closedLoop(job) : openArrivals(job, job.rate)));
});
process.send?.({ port: 0 });

function measuredOf(times: number[], seconds: number, failed: number): Measured {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    perSecond: times.length / seconds,
    count: times.length,
    p50: at(0.5),
    p99: at(0.99),
    failed,
  };
}

async function closedLoop({ url, cookies, work, seconds, connections }: Job): Promise<Measured> {
  const times: number[] = [];
  let failed = 0;
  let next = 0;
  let name = 0;
  const begin = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const options: autocannon.Options = {
    url,
    connections,
    duration: seconds,
    setupClient: (client) => {
      const cookie = cookies[next % cookies.length] ?? '';
      next += 1;
      client.setHeaders({ cookie, origin: url });
    },
    requests:
      work.kind === 'read'
        ? [{ method: 'GET', path: work.path }]
        : [
            {
              method: 'POST',
              path: '/api/tunnel-configs',
              setupRequest: (request) => {
                name += 1;
                const serverName = `bench ${process.pid} ${Date.now().toString(36)} ${name}`;
                const body = JSON.stringify({
                  serverName,
                  serverIP: '127.0.0.1',
                  adminPort: 40_120,
                  customUrl: null,
                });
                return {
                  ...request,
                  body,
                  headers: { ...request.headers, 'content-type': 'application/json' },
                };
              },
              onResponse: (_status, body, context) => {
                Object.assign(context, { id: JSON.parse(body).proxy?.id });
              },
            },
            {
              method: 'DELETE',
              path: '/api/tunnel-configs/0',
              setupRequest: (request, context) => ({
                ...request,
                path: `/api/tunnel-configs/${(context as { id?: number }).id}`,
              }),
            },
          ],
  };
  const run = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
  run.on('response', (_client, status, _bytes, time) => {
    if (status >= 300) failed += 1;
    else if (work.kind === 'read' || status === 201) times.push(time);
  });
  const result = await promise;
  return measuredOf(times, (performance.now() - begin) / 1_000, failed + result.errors + result.timeouts);
}

/** Arrivals at the given rate before those that are measured: connections and the load's own code are cold at first. */
const warmUpSeconds = 1.5;

/** A request's time counts from when it should have been sent. */
async function openArrivals(
  { url, cookies, work, seconds, connections }: Job,
  rate: number,
): Promise<Measured> {
  if (work.kind !== 'read') throw new Error('only reads arrive by themselves');
  const pool = new Pool(url, { connections, pipelining: 1 });
  const times: number[] = [];
  const running = new Set<Promise<void>>();
  let failed = 0;
  const begin = performance.now();
  const one = async (dueAt: number, number: number) => {
    const headers = { cookie: cookies[number % cookies.length] ?? '' };
    try {
      const { statusCode, body } = await pool.request({ method: 'GET', path: work.path, headers });
      await body.dump();
      if (statusCode >= 300) failed += 1;
      else if (number >= uncounted) times.push(performance.now() - dueAt);
    } catch {
      failed += 1;
    }
  };
  const uncounted = Math.floor(rate * warmUpSeconds);
  const total = uncounted + Math.floor(rate * seconds);
  for (let number = 0; number < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - begin) / 1_000) * rate));
    for (; number < due; number += 1) {
      const request = one(begin + (number / rate) * 1_000, number);
      running.add(request);
      void request.finally(() => running.delete(request));
    }
    // In steps of a millisecond: looking at the clock all the time would take a core from those it measures.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(running);
  await pool.close();
  return measuredOf(times, (performance.now() - begin) / 1_000 - warmUpSeconds, failed);
}
