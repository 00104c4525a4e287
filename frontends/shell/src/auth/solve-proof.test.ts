import { expect, it } from 'vitest';
import { solveProof } from './solve-proof.ts';

/** So many numbers are tried for it: others are solved sooner or later, as luck has it. */
const challenge = '18.registration-proof-008';
const tried = 273_181;

it('a proof of work is the first number that solves its challenge, and the page gets its turns meanwhile', async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const proof = await solveProof(challenge, new AbortController().signal);
  clearImmediate(next);
  expect(proof).toEqual({ challenge, solution: String(tried) });
  // Computed in one go it would leave none.
  expect(turns).toBeGreaterThan(5);
});

it('a proof of work whose page is left is given up', async () => {
  const controller = new AbortController();
  const solving = solveProof(challenge, controller.signal);
  controller.abort();
  await expect(solving).rejects.toThrow('aborted');
});
