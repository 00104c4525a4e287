import type { Body, Connection, Plan } from './plan.ts';

const none: Body = { size: 0, cuts: [], pauses: [] };

/** Simpler connections than this one, the boldest first. */
function* simplerOf(connection: Connection): Generator<Connection> {
  const { plans } = connection;
  if (plans.length > 1) for (const plan of plans) yield { ...connection, plans: [plan] };
  if (plans.length > 1)
    for (const gone of plans) yield { ...connection, plans: plans.filter((one) => one !== gone) };
  if (connection.kind === 'tls') yield { ...connection, kind: 'plain' };
  if (connection.edge === 1) yield { ...connection, edge: 0 };
  if (connection.proxy > 0) yield { ...connection, proxy: 0 };
  if (connection.isSlow) yield { ...connection, isSlow: false };
  if (connection.isPipelined) yield { ...connection, isPipelined: false };
  for (const [index, plan] of plans.entries())
    for (const simpler of simplerPlans(plan)) yield { ...connection, plans: plans.with(index, simpler) };
}

function* simplerPlans(plan: Plan): Generator<Plan> {
  for (const side of ['request', 'response'] as const) {
    const message = plan[side];
    const change = (more: object) => ({ ...plan, [side]: { ...message, ...more } }) as Plan;
    const { body, fields, trailers } = message;
    if (body.size > 0 && !plan.breaks) yield change({ body: none });
    if (body.cuts.length > 0 && !plan.breaks) yield change({ body: { ...body, cuts: [], pauses: [] } });
    if (body.pauses.some((pause) => pause > 0)) yield change({ body: { ...body, pauses: [] } });
    if (body.size > 10 && !plan.breaks) yield change({ body: { ...body, size: Math.floor(body.size / 10) } });
    if (trailers.length > 0) yield change({ trailers: [] });
    if (fields.length > 0) yield change({ fields: [] });
    for (const gone of fields) yield change({ fields: fields.filter((one) => one !== gone) });
  }
  const { request, response } = plan;
  if (response.interim.length > 0) yield { ...plan, response: { ...response, interim: [] } };
  if (response.status !== 200 && !plan.upgrade) yield { ...plan, response: { ...response, status: 200 } };
  if (response.isZipped) yield { ...plan, response: { ...response, isZipped: false } };
  if (response.version === '1.0') yield { ...plan, response: { ...response, version: '1.1' } };
  if (request.target !== '/') yield { ...plan, request: { ...request, target: '/' } };
  if (request.version === '1.0') yield { ...plan, request: { ...request, version: '1.1' } };
  if (request.framing === 'none' && request.method !== 'GET')
    yield { ...plan, request: { ...request, method: 'GET' } };
}

const mostRuns = 150;
const attempts = 2;

/** Makes a connection that shows a difference as simple as one that still shows it. */
export async function shrink(
  connection: Connection,
  differencesOf: (connection: Connection) => Promise<string[]>,
): Promise<{ connection: Connection; faults: string[] }> {
  let [smallest, faults]: [Connection, string[]] = [connection, []];
  let runs = 0;
  const shows = async (one: Connection) => {
    for (let attempt = 0; attempt < attempts && runs < mostRuns; attempt += 1) {
      runs += 1;
      const found = await differencesOf(one);
      if (found.length > 0) return found;
    }
    return null;
  };
  faults = (await shows(connection)) ?? ['it did not show again'];
  search: while (runs < mostRuns) {
    for (const simpler of simplerOf(smallest)) {
      const found = await shows(simpler);
      if (!found) continue;
      [smallest, faults] = [simpler, found];
      continue search;
    }
    break;
  }
  return { connection: smallest, faults };
}
