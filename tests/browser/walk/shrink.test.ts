import { describe, expect, it } from 'vitest';
import { shrink } from './shrink.ts';

const letters = (text: string) => [...text];
const always = () => true;

describe('the shortest failing path', () => {
  it('is what fails and nothing else, in its order, wherever its steps were', async () => {
    const path = letters('abcdefghijklmnopqrstuvwxyz');
    for (const needed of ['a', 'z', 'az', 'chp', 'abyz']) {
      const fails = async (steps: readonly string[]) =>
        letters(needed).every((step) => steps.includes(step)) ? steps : null;
      const { steps, isShortest } = await shrink(path, fails, always);
      expect([steps.join(''), isShortest]).toEqual([needed, true]);
    }
  });

  it('loses at once what could not be done', async () => {
    const seen: string[] = [];
    const fails = async (steps: readonly string[]) => {
      seen.push(steps.join(''));
      return steps.includes('x') ? ['x'] : null;
    };
    expect(await shrink(letters('abcdefghx'), fails, always)).toMatchObject({
      steps: ['x'],
      isShortest: true,
    });
    expect(seen).toHaveLength(1);
  });

  it('is found quickly where the last steps are to blame', async () => {
    const path = [...'a'.repeat(60), 'x', 'b', 'y'];
    const fails = async (steps: readonly string[]) =>
      steps.includes('x') && steps.at(-1) === 'y' ? steps : null;
    expect(await shrink(path, fails, (tries) => tries < 12)).toMatchObject({
      steps: ['x', 'y'],
      isShortest: true,
    });
  });

  it('is a failing one even where the budget ends first, and says so', async () => {
    const needed = (steps: readonly string[]) => steps.includes('c') && steps.includes('w');
    const fails = async (steps: readonly string[]) => (needed(steps) ? steps : null);
    const found = await shrink(letters('abcdefghijklmnopqrstuvwxyz'), fails, (tries) => tries < 3);
    expect(found).toMatchObject({ tries: 3, isShortest: false });
    expect(needed(found.steps)).toBe(true);
  });

  it('is the whole path where every step is needed', async () => {
    const fails = async (steps: readonly string[]) => (steps.length === 4 ? steps : null);
    expect(await shrink(letters('abcd'), fails, always)).toMatchObject({ steps: letters('abcd') });
  });
});
