import { useProvider } from '@talpa/test-kit/embedded-provider';
import { useStores } from '@talpa/test-kit/stores';
import type Cloudflare from 'cloudflare';
import { beforeAll, describe, expect, it } from 'vitest';

const stores = useStores();
const provider = useProvider(stores);
const zone = { zone_id: 'zone1' };
let records: Cloudflare['dns']['records'];

beforeAll(() => {
  records = provider.client().dns.records;
});

const unknownId = '0'.repeat(32);
const failure = (status: number, code: number) =>
  expect.objectContaining({ status, errors: [expect.objectContaining({ code })] });
const cname = (name: string, content = 'x.cfargotunnel.com', comment = 'mine') =>
  ({ ...zone, type: 'CNAME', name, content, comment, proxied: true, ttl: 1 }) as const;
const address = (name: string, content = '192.0.2.1') =>
  ({ ...zone, type: 'A', name, content, ttl: 300 }) as const;

describe('a DNS record', () => {
  it('keeps what it is created with', async () => {
    const { id } = await records.create(cname('A.example.com'));
    expect(await records.get(id, zone)).toMatchObject({
      id,
      type: 'CNAME',
      name: 'a.example.com',
      content: 'x.cfargotunnel.com',
      comment: 'mine',
      proxied: true,
      proxiable: true,
      ttl: 1,
    });
  });

  it('is the only one on its host when it is a CNAME: 400/81053, 81054', async () => {
    await records.create(cname('one.example.com'));
    await expect(records.create(cname('one.example.com'))).rejects.toEqual(failure(400, 81_053));
    await expect(records.create(address('one.example.com'))).rejects.toEqual(failure(400, 81_054));
    await records.create(address('two.example.com'));
    await expect(records.create(cname('two.example.com'))).rejects.toEqual(failure(400, 81_053));
  });

  it('is not made twice: 400/81058', async () => {
    await records.create(address('three.example.com'));
    await records.create(address('three.example.com', '192.0.2.2'));
    await expect(records.create(address('three.example.com'))).rejects.toEqual(failure(400, 81_058));
  });

  it('is made once by creates at the same time', async () => {
    for (let round = 0; round < 20; round += 1) {
      const creates = Array.from({ length: 8 }, (_, index) =>
        records.create(cname(`race${round}.example.com`, `${index}.example.net`)),
      );
      const results = await Promise.allSettled(creates);
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    }
  });

  it('is refused with 400/1004 when it is none, and 404/81044 when it is not there', async () => {
    for (const body of [
      cname('bad name.example.com'),
      cname('b.example.com', 'no host'),
      address('b.example.com', '300.1.1.1'),
      { ...cname('b.example.com'), ttl: 7 },
      { ...cname('b.example.com'), type: 'SPF' },
    ])
      await expect(records.create(body as never)).rejects.toEqual(failure(400, 1004));
    for (const call of [
      () => records.get(unknownId, zone),
      () => records.delete(unknownId, zone),
      () => records.edit(unknownId, cname('c.example.com')),
      () => records.update(unknownId, cname('c.example.com')),
    ])
      await expect(call()).rejects.toEqual(failure(404, 81_044));
  });

  it('keeps with PATCH and loses with PUT what is not named', async () => {
    const { id } = await records.create(cname('edit.example.com'));
    await provider.send('PATCH', `/client/v4/zones/zone1/dns_records/${id}`, { content: 'y.example' });
    expect(await records.get(id, zone)).toMatchObject({
      content: 'y.example',
      comment: 'mine',
      proxied: true,
    });
    const bare = { type: 'CNAME', name: 'edit.example.com', content: 'z.example' };
    await provider.send('PUT', `/client/v4/zones/zone1/dns_records/${id}`, bare);
    expect(await records.get(id, zone)).toMatchObject({
      content: 'z.example',
      comment: null,
      proxied: false,
    });
    await records.create(cname('other.example.com'));
    await expect(records.edit(id, cname('other.example.com'))).rejects.toEqual(failure(400, 81_053));
  });

  it('goes with its delete, which answers its id', async () => {
    const { id } = await records.create(cname('gone.example.com'));
    expect(await records.delete(id, zone)).toEqual({ id });
    await expect(records.get(id, zone)).rejects.toEqual(failure(404, 81_044));
  });
});

describe('the list of DNS records', () => {
  it('filters by type, name, content and comment', async () => {
    await records.create(cname('a.example.com', 'one.example', 'talpa a b'));
    await records.create(cname('b.example.com', 'two.example', 'talpa a c'));
    await records.create(address('c.example.com'));
    const names = async (query: object) =>
      (await records.list({ ...zone, ...query })).result.map(({ name }) => name[0]).join('');
    expect(await names({})).toBe('abc');
    expect(await names({ type: 'A' })).toBe('c');
    expect(await names({ name: { exact: 'B.example.com' } })).toBe('b');
    expect(await names({ name: { contains: '.ex', startswith: 'a' } })).toBe('a');
    expect(await names({ content: { endswith: '.example' } })).toBe('ab');
    expect(await names({ comment: { exact: 'talpa a c' } })).toBe('b');
    expect(await names({ comment: { startswith: 'talpa a' } })).toBe('ab');
    expect(await names({ proxied: true })).toBe('ab');
    const page = await records.list({ ...zone, page: 2, per_page: 2 });
    expect(page.result_info).toMatchObject({ page: 2, count: 1, total_count: 3 });
  });
});

describe('a batch', () => {
  it('is done as a whole or not at all', async () => {
    const { id } = await records.create(cname('old.example.com'));
    const post = { type: 'CNAME', name: 'old.example.com', content: 'new.example', ttl: 1 } as const;
    await expect(records.batch({ ...zone, deletes: [{ id }], posts: [post, post] })).rejects.toEqual(
      failure(400, 81_053),
    );
    expect(await records.get(id, zone)).toMatchObject({ content: 'x.cfargotunnel.com' });
    const done = await records.batch({ ...zone, deletes: [{ id }], posts: [post] });
    expect(done).toMatchObject({ deletes: [{ id }], posts: [{ content: 'new.example' }] });
  });
});
