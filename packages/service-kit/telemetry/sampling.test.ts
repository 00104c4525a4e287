import { ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { describe, expect, it } from 'vitest';
import { createSampler } from './sampling.ts';

/** Of all ids the one that is kept first where ids decide. */
const chosenId = `${'0'.repeat(31)}1`;

/** Whether a step is kept whose step above, here or elsewhere, said so or not. */
function isKept(sampler: ReturnType<typeof createSampler>, above: { sampled: boolean; isRemote: boolean }) {
  const traceFlags = above.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  const parent = { traceId: chosenId, spanId: '1'.repeat(16), traceFlags, isRemote: above.isRemote };
  const context = trace.setSpanContext(ROOT_CONTEXT, parent);
  const { decision } = sampler.shouldSample(context, chosenId, 'a call', SpanKind.SERVER, {}, []);
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
}
const both = [true, false];

describe('which traces are kept', () => {
  it('is decided by a die of the gateway’s, whatever a stranger claims', () => {
    for (const sampled of both) {
      expect(
        isKept(
          createSampler(0.1, true, () => 0.1),
          { sampled, isRemote: true },
        ),
      ).toBe(false);
      expect(
        isKept(
          createSampler(0.1, true, () => 0.09),
          { sampled, isRemote: true },
        ),
      ).toBe(true);
    }
  });

  it('is the same for all steps of one trace, in the gateway and behind it', () => {
    for (const die of [0, 0.99])
      for (const sampled of both) {
        expect(
          isKept(
            createSampler(0.1, true, () => die),
            { sampled, isRemote: false },
          ),
        ).toBe(sampled);
        expect(
          isKept(
            createSampler(0.1, false, () => die),
            { sampled, isRemote: true },
          ),
        ).toBe(sampled);
      }
  });
});
