import { expect, it } from 'vitest';
import { untilSilent, whileDebugging } from './hang.ts';

async function askSilent(asks: number) {
  let asked = 0;
  const ended = new AbortController();
  const ask = async () => {
    asked += 1;
    if (asked === 100) ended.abort();
    throw new Error('silence');
  };
  const silentMs = await untilSilent(ask, { askMs: 1, asks }, ended.signal);
  return { hangs: silentMs !== null, asked };
}

it('a part that answers none of so many asks hangs', async () => {
  expect(await askSilent(4)).toEqual({ hangs: true, asked: 4 });
});

it('one at a breakpoint never does, however long it is silent', async () => {
  expect(await askSilent(whileDebugging.asks)).toEqual({ hangs: false, asked: 100 });
});
