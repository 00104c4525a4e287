import { describe, expect, it } from 'vitest';
import { gauge, readOnScrape, scrape } from './metrics.ts';

describe('a figure that cannot be read', () => {
  it('is left out of the response, with labels and without, and is there again when it can', async () => {
    const plain = gauge('talpa_test_plain', 'Without labels');
    const labelled = gauge('talpa_test_labelled', 'With labels', ['kind']);
    let broken = false;
    readOnScrape('test', [plain, labelled], () => {
      plain.set(7);
      labelled.set({ kind: 'one' }, 7);
      if (broken) throw new Error('the store is away');
    });
    const scraped = async () => (await scrape()).match(/^talpa_test_.* \d+$/gm) ?? [];
    expect(await scraped()).toHaveLength(2);
    broken = true;
    expect(await scraped()).toEqual([]);
    expect(await scrape()).toMatch(/^talpa_unread_total\{reader="test"\} 2$/m);
    broken = false;
    expect(await scraped()).toHaveLength(2);
  });
});

it('a gauge that nobody has set is in no response: 0 could mean that something has expired', async () => {
  gauge('talpa_test_never_set', 'Without a value');
  gauge('talpa_test_set', 'With a value').set(0);
  const text = await scrape();
  expect(text).not.toMatch(/^talpa_test_never_set /m);
  expect(text).toMatch(/^talpa_test_set 0$/m);
});
