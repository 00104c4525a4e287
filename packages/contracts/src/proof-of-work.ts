/**
 * What a registration takes while many come from one network. A challenge is `<bits>.<random>`; `solution` is a number that makes the
 * SHA-256 of `<challenge>:<solution>` begin with so many zero bits.
 */
export interface ProofOfWork {
  readonly challenge: string;
  readonly solution: string;
}

/** How many zero bits a challenge asks for; null: it is none. */
export function bitsOf(challenge: string): number | null {
  const [, bits] = /^(\d{1,2})\.[\w-]{22}$/.exec(challenge) ?? [];
  return bits === undefined ? null : Number(bits);
}

export const proofText = ({ challenge, solution }: ProofOfWork): string => `${challenge}:${solution}`;

/** Whether a hash begins with so many zero bits. */
export function beginsWithZeros(hash: Uint8Array, bits: number): boolean {
  for (let at = 0, left = bits; left > 0; at += 1, left -= 8)
    if ((hash[at] ?? 255) >> Math.max(0, 8 - left) !== 0) return false;
  return true;
}
