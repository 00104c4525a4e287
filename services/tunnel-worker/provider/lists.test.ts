import { useCloudflare } from '@talpa/test-kit/cloudflare';
import { describe, expect, it } from 'vitest';
import { createProvider } from './client.ts';

const cloudflare = useCloudflare();

it('a page of a list is a call like any other', async () => {
  const worked: string[] = [];
  const counted: string[] = [];
  const provider = createProvider(cloudflare.settings, {
    acquire: async () => void counted.push('one'),
    problems: { worked: async (operation) => void worked.push(operation), failed: async () => {} },
  });
  await provider.findTunnels('talpa-');
  await provider.findRecords({ comment: 'talpa a' });
  expect([counted.length, worked]).toEqual([2, ['list tunnels', 'list records']]);
});

describe('a list', () => {
  const tunnels = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `t${from + at}`, name: `talpa-${from + at}` }));
  /** Pages as given, with a total or without. */
  const paged = (pages: readonly (readonly object[] | null)[], total?: number) => {
    const numbers: string[] = [];
    cloudflare.script = ({ query }) => {
      numbers.push(query.get('page') ?? '');
      const result = numbers.length > pages.length ? [] : pages[numbers.length - 1];
      const info = total === undefined ? {} : { result_info: { total_count: total } };
      return { body: { success: true, errors: [], messages: [], result, ...info } };
    };
    return numbers;
  };
  const find = async () => (await createProvider(cloudflare.settings).findTunnels('talpa-')).length;

  it('is read until as many were seen as there are, each once', async () => {
    const numbers = paged([tunnels(0, 3), tunnels(2, 3), tunnels(5, 1)], 7);
    expect(await find()).toBe(6);
    expect(numbers).toEqual(['1', '2', '3']);
  });

  it('without a total ends with the first page that is not full', async () => {
    const numbers = paged([tunnels(0, 1_000), tunnels(1_000, 2), tunnels(1_002, 1)]);
    expect(await find()).toBe(1_002);
    expect(numbers).toEqual(['1', '2']);
  });

  it('whose total is wrong ends with an empty page', async () => {
    const numbers = paged([tunnels(0, 3), null], 9);
    expect(await find()).toBe(3);
    expect(numbers).toEqual(['1', '2']);
  });
});
