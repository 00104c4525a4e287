import { scrape } from '@talpa/service-kit/telemetry/metrics';
import { describe, expect, it } from 'vitest';
import { createMemory } from './memory.ts';

describe('the memory', () => {
  it('is told in figures: what was known, joined and asked anew, and how full it is', async () => {
    const memory = createMemory<{ size: number }>('measured', 100, ({ size }) => size);
    const ask = async () => ({ size: 40 });
    await Promise.all([memory.recall('a', ask), memory.recall('a', ask), memory.recall('a', ask)]);
    await memory.recall('a', ask);
    await memory.recall('b', ask);
    const figures = await scrape();
    for (const figure of [
      'answers_total{memory="measured",answer="known"} 1',
      'answers_total{memory="measured",answer="joined"} 2',
      'answers_total{memory="measured",answer="asked"} 2',
      'entries{memory="measured"} 2',
      'size{memory="measured"} 80',
    ])
      expect(figures).toMatch(new RegExp(`^talpa_memory_${figure.replace(/[{}]/g, '\\$&')}$`, 'm'));
  });

  it('asks once for those who want the same at the same time', async () => {
    const memory = createMemory<{ n: number }>('test', 10, () => 1);
    let asked = 0;
    const ask = async () => ({ n: ++asked });
    expect(await Promise.all([memory.recall('a', ask), memory.recall('a', ask)])).toEqual([
      { n: 1 },
      { n: 1 },
    ]);
    expect(await memory.recall('b', ask)).toEqual({ n: 2 });
  });

  it('stays within its size, forgetting what was not used longest', async () => {
    const memory = createMemory<{ size: number }>('test', 100, ({ size }) => size);
    for (const key of ['a', 'b', 'c']) await memory.recall(key, async () => ({ size: 40 }));
    expect(memory.known('a')).toBeUndefined();
    expect(memory.known('c')).toEqual({ size: 40 });
    expect(await memory.recall('huge', async () => ({ size: 101 }))).toEqual({ size: 101 });
    expect(memory.known('huge')).toBeUndefined();
  });

  it('gives nobody an answer that has stopped being true by itself, not even who joined in asking', async () => {
    const memory = createMemory<{ n: number; until: number }>(
      'test',
      10,
      () => 1,
      ({ until }) => until,
    );
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const over = { n: 1, until: Date.now() };
    const first = memory.recall('a', () => held.then(() => over));
    const joined = memory.recall('a', async () => ({ n: 2, until: Number.POSITIVE_INFINITY }));
    release();
    expect([await first, (await joined).n]).toEqual([over, 2]);
    expect(memory.known('a')?.n).toBe(2);
    await memory.recall('b', async () => over);
    expect(memory.known('b')).toBeUndefined();
  });
});
