import { describe, expect, it } from 'vitest';
import { proxyNames, proxyOfRecord, recordContent, serverNames, serverOfTunnel } from './names.ts';

const id = '0b5c3f5e-6a0e-4c39-9d7a-1f2e3d4c5b6a';
const other = '9d7a1f2e-6a0e-4c39-9d7a-0b5c3f5e6a0e';
const server = serverNames('i1', id);
const proxy = proxyNames('i1', id);

describe('a tunnel', () => {
  it('has its installation, its server and its incarnation in its name', () => {
    expect(server.tunnel(12)).toBe(`talpa-i1-${id}-g12`);
    expect(server.incarnationOf(server.tunnel(12))).toBe(12);
    expect(server.tunnel(3).startsWith(server.tunnelPrefix)).toBe(true);
    expect(serverOfTunnel('i1', server.tunnel(999_999_999))).toBe(id);
  });

  it.each([
    `talpa-i1-${id}-g`,
    `talpa-i1-${id}-g0`,
    `talpa-i1-${id}-g01`,
    `talpa-i1-${id}-g1x`,
    `talpa-i1-${id}-gx1`,
    `talpa-i1-${id}-g1234567890`,
    `talpa-i1-${id}1`,
    `talpa-i1-${id}`,
    `talpa-i2-${id}-g1`,
    `talpa-i1-${id.toUpperCase()}x-g1`,
    `talpa-i1-x${id.slice(1, 36)}-g1`,
    `x talpa-i1-${id}-g1`,
    'talpa-i1--g1',
    'somebody’s',
  ])('of another name is none of ours: %s', (name) => {
    expect(serverOfTunnel('i1', name)).toBeNull();
    expect(server.incarnationOf(name)).toBeNull();
  });

  it('of another server is that one’s', () => {
    const name = serverNames('i1', other).tunnel(1);
    expect([server.incarnationOf(name), serverOfTunnel('i1', name)]).toEqual([null, other]);
  });
});

describe('a record', () => {
  const record = { type: 'CNAME', comment: proxy.comment, content: recordContent('t1') };

  it('is a proxy’s by its comment, as long as it leads to a tunnel', () => {
    expect(record).toMatchObject({ comment: `talpa i1 ${id}`, content: 't1.cfargotunnel.com' });
    expect(proxyOfRecord('i1', record)).toBe(id);
    expect([proxy.isOwnRecord(record), proxyNames('i1', other).isOwnRecord(record)]).toEqual([true, false]);
  });

  it.each([
    { type: 'A' },
    { content: 't1.cfargotunnel.com.example' },
    { comment: `talpa i2 ${id}` },
    { comment: id },
    { comment: `talpa i1 ${id} and more` },
    { comment: `talpa i1 x${id}` },
    { comment: 'talpa i1 ' },
    { comment: '' },
  ])('is none of ours with %o', (changes) => {
    expect(proxyOfRecord('i1', { ...record, ...changes })).toBeNull();
    expect(proxy.isOwnRecord({ ...record, ...changes })).toBe(false);
  });
});
