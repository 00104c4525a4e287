import { ParentBasedSampler, type Sampler, SamplingDecision } from '@opentelemetry/sdk-trace';

/**
 * Decides which traces are kept. Who has the first word throws a die of their own, whatever a caller claims: neither
 * a flag nor a well-chosen trace id of a stranger makes us record more than our share. All others obey.
 * @param share of the requests, 0 to 1
 * @param hasFirstWord whether callers of this process are strangers
 */
export function createSampler(share: number, hasFirstWord: boolean, random = Math.random): Sampler {
  const die: Sampler = {
    shouldSample: () => ({
      decision: random() < share ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
    }),
    toString: () => `die of ${share}`,
  };
  return new ParentBasedSampler(
    hasFirstWord ? { root: die, remoteParentSampled: die, remoteParentNotSampled: die } : { root: die },
  );
}
