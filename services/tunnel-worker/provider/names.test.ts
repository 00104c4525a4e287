import { describe, expect, it } from 'vitest';
import { namesOf, proxyOfRecord, proxyOfTunnel, recordContent } from './names.ts';

const proxyId = '0b5c3f5e-6a0e-4c39-9d7a-1f2e3d4c5b6a';
const other = '9d7a1f2e-6a0e-4c39-9d7a-0b5c3f5e6a0e';
const names = namesOf('i1', proxyId);

describe('a tunnel', () => {
  it('has its installation, its proxy and its incarnation in its name', () => {
    expect(names.tunnel(12)).toBe(`talpa-i1-${proxyId}-g12`);
    expect(names.incarnationOf(names.tunnel(12))).toBe(12);
    expect(names.tunnel(3).startsWith(names.tunnelPrefix)).toBe(true);
    expect(proxyOfTunnel('i1', names.tunnel(999_999_999))).toBe(proxyId);
  });

  it.each([
    `talpa-i1-${proxyId}-g`,
    `talpa-i1-${proxyId}-g0`,
    `talpa-i1-${proxyId}-g01`,
    `talpa-i1-${proxyId}-g1x`,
    `talpa-i1-${proxyId}-gx1`,
    `talpa-i1-${proxyId}-g1234567890`,
    `talpa-i1-${proxyId}1`,
    `talpa-i1-${proxyId}`,
    `talpa-i2-${proxyId}-g1`,
    `talpa-i1-${proxyId.toUpperCase()}x-g1`,
    `talpa-i1-x${proxyId.slice(1, 36)}-g1`,
    `x talpa-i1-${proxyId}-g1`,
    'talpa-i1--g1',
    'somebody’s',
  ])('of another name is none of ours: %s', (name) => {
    expect(proxyOfTunnel('i1', name)).toBeNull();
    expect(names.incarnationOf(name)).toBeNull();
  });

  it('of another proxy is that one’s', () => {
    const name = namesOf('i1', other).tunnel(1);
    expect([names.incarnationOf(name), proxyOfTunnel('i1', name)]).toEqual([null, other]);
  });
});

describe('a record', () => {
  const record = { type: 'CNAME', comment: names.comment, content: recordContent('t1') };

  it('is a proxy’s by its comment, as long as it leads to a tunnel', () => {
    expect(record).toMatchObject({ comment: `talpa i1 ${proxyId}`, content: 't1.cfargotunnel.com' });
    expect(proxyOfRecord('i1', record)).toBe(proxyId);
    expect([names.isOwnRecord(record), namesOf('i1', other).isOwnRecord(record)]).toEqual([true, false]);
  });

  it.each([
    { type: 'A' },
    { content: 't1.cfargotunnel.com.example' },
    { comment: `talpa i2 ${proxyId}` },
    { comment: proxyId },
    { comment: `talpa i1 ${proxyId} and more` },
    { comment: `talpa i1 x${proxyId}` },
    { comment: 'talpa i1 ' },
    { comment: '' },
  ])('is none of ours with %o', (changes) => {
    expect(proxyOfRecord('i1', { ...record, ...changes })).toBeNull();
    expect(names.isOwnRecord({ ...record, ...changes })).toBe(false);
  });
});
