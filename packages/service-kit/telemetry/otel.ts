import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { createSampler } from './sampling.ts';
import { useTracer } from './tracing.ts';

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;
const form = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})/;

/** What is to be stopped with the process is added here. */
interface StopHooks {
  onStop(name: string, stop: () => Promise<void>): void;
}

/**
 * Sends traces to the OTLP endpoint of the standard OTEL_EXPORTER_OTLP_* settings. Loaded only where one is set.
 * @param share of the traces that are kept; the gateway decides, whatever a browser says.
 */
export function startTracing(process: string, share: number, lifecycle: StopHooks): void {
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': `talpa-${process}`, 'service.namespace': 'talpa' }),
    ),
    sampler: createSampler(share, process === 'gateway'),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: 1_000 }),
    ],
  });
  const tracer = provider.getTracer('talpa');
  useTracer({
    start: (name, { kind, attributes = {}, parent: remote }, local) => {
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, contextOf(remote, local));
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceId,
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        set: (more) => void span.setAttributes(more),
        fail: (type) => {
          span.setAttribute('error.type', type);
          span.setStatus({ code: SpanStatusCode.ERROR });
        },
        end: () => span.end(),
      };
    },
  });
  lifecycle.onStop('traces', () => provider.shutdown());
}

/** The step above: one that came from elsewhere, else one of this process. */
function contextOf(remote: string | undefined, local: string | undefined) {
  const [, traceId, spanId, flags] = (remote ?? local)?.match(form) ?? [];
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags ?? '0', 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: remote !== undefined });
}
