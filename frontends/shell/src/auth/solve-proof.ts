import { sha256 } from '@noble/hashes/sha2.js';
import { beginsWithZeros, bitsOf, type ProofOfWork, proofText } from '@talpa/contracts/proof-of-work';

/** As long as the screen may wait for its next frame, in ms. */
const sliceMs = 8;
const encoder = new TextEncoder();

/**
 * Computes what a registration takes while many come from one network. It works in slices, so that the page stays usable; not by Web
 * Crypto, which pages without https do not have. Timers of a tab in the background are slowed down, messages are not.
 * @throws DOMException when it is aborted
 */
export async function solveProof(challenge: string, signal: AbortSignal): Promise<ProofOfWork> {
  const bits = bitsOf(challenge);
  if (bits === null) throw new Error('the server asks for an unknown proof');
  for (let number = 0; ; ) {
    signal.throwIfAborted();
    const end = performance.now() + sliceMs;
    while (performance.now() < end) {
      const proof = { challenge, solution: String(number) };
      if (beginsWithZeros(sha256(encoder.encode(proofText(proof))), bits)) return proof;
      number += 1;
    }
    await nextTurn();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
