import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One step of a trace, as it arrived. */
export interface ReceivedSpan {
  readonly process: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly failed: boolean;
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}
interface OtlpSpan extends Omit<ReceivedSpan, 'process' | 'attributes' | 'failed'> {
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}
interface Otlp {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

/** A small OTLP/HTTP receiver: what a collector would get. */
export async function startReceiver() {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    bodies.push(body);
    for (const { resource, scopeSpans } of (JSON.parse(body) as Otlp).resourceSpans)
      for (const one of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          ...one,
          parentSpanId: one.parentSpanId ?? '',
          process: texts(resource.attributes)['service.name'] ?? '',
          attributes: texts(one.attributes),
          failed: one.status.code === 2,
        });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    /** Everything that arrived, as text. */
    text: () => bodies.join('\n'),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function texts(attributes: readonly Attribute[]): Record<string, string> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue ?? '')]),
  );
}
