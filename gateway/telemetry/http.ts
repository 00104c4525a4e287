import { counter, histogram } from '@talpa/service-kit/telemetry/metrics';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const duration = histogram(
  'talpa_http_request_duration_seconds',
  'From a request’s arrival to the end of its response, by route of the contract; live streams are not among them',
  ['method', 'route', 'status'],
);
const errors = counter('talpa_http_errors_total', 'Responses that are errors, by code of the contract', [
  'method',
  'route',
  'code',
]);

const meters = new WeakSet<object>();

type Done = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** Measures every route that is registered from here on; each has its own counters at hand, nothing is looked up. */
export function measureRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const method = Array.isArray(route.method) ? 'other' : route.method;
    const measure = createMeter(method, route.url, route.config?.isStream ?? false);
    // A HEAD route is made from its GET route, meter and all.
    const others = [route.onResponse ?? []].flat().filter((hook) => !meters.has(hook));
    route.onResponse = [...others, measure];
  });
  const unknown = createMeter('other', '(unknown)', false);
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) unknown(request, reply, done);
    else done();
  });
}

/** Counts an error under the route it was met on. */
export function countError({ method, routeOptions, is404 }: FastifyRequest, code: string): void {
  const known = is404 ? undefined : routeOptions.url;
  errors.labels(known ? method : 'other', known ?? '(unknown)', code).inc();
}

/** Measures the responses of one route; takes their status and how long they took, in ms. */
export function meterOf(method: string, route: string): (status: number, ms: number) => void {
  const byClass = [0, 1, 2, 3, 4, 5].map((first) => duration.labels(method, route, `${first}xx`));
  return (status, ms) => byClass[Math.floor(status / 100)]?.observe(ms / 1_000);
}

function createMeter(method: string, route: string, isStream: boolean): Done {
  const measure = meterOf(method, route);
  const meter: Done = (_request, { statusCode, elapsedTime }, done) => {
    // How long a stream was open says nothing about us.
    if (!isStream || statusCode >= 400) measure(statusCode, elapsedTime);
    done();
  };
  meters.add(meter);
  return meter;
}
