import type { ProofOfWork } from '@talpa/contracts/proof-of-work';
import { ApiError } from '@talpa/panel-kit/core';
import { useEffect, useState } from 'react';

/** A proof may expire or be used up meanwhile. */
const mostProofs = 3;

/**
 * Repeats a call with a proof of work where the server asks for one.
 * @returns `isComputing` while the browser computes, and the call
 */
export function useProof() {
  const [isComputing, setIsComputing] = useState(false);
  const [controller] = useState(() => ({ current: new AbortController() }));
  useEffect(() => {
    // React mounts components twice in development.
    controller.current = new AbortController();
    return () => controller.current.abort();
  }, [controller]);
  const withProof = async <T>(call: (proof?: ProofOfWork) => Promise<T>): Promise<T> => {
    let proof: ProofOfWork | undefined;
    for (let proofs = 0; ; proofs += 1)
      try {
        return await call(proof);
      } catch (error) {
        const challenge = challengeOf(error);
        if (challenge === null || proofs === mostProofs) throw error;
        setIsComputing(true);
        try {
          const { solveProof } = await import('./solve-proof.ts');
          proof = await solveProof(challenge, controller.current.signal);
        } finally {
          setIsComputing(false);
        }
      }
  };
  return { isComputing, withProof };
}

const challengeOf = (error: unknown): string | null =>
  error instanceof ApiError && error.code === 'registration_proof_required' ? error.challenge : null;
