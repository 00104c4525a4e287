import { describe, expect, it } from 'vitest';
import { afterSeeing, type SeenRow } from './health.ts';

const applied = {
  tunnelId: 't1',
  dnsRecordId: 'r1',
  incarnation: 1,
  hostname: 'srv.example.com',
  origin: 'http://127.0.0.1:40120',
};
const row = (changes: Partial<SeenRow> = {}): SeenRow => ({
  status: 'inactive',
  statusReason: null,
  tunnelHealth: 'inactive',
  generation: 2,
  removedAt: null,
  appliedGeneration: 2,
  applied,
  ...changes,
});

describe('what was seen of a tunnel', () => {
  it.each([
    ['healthy', 'active'],
    ['degraded', 'active'],
    ['down', 'inactive'],
  ] as const)('as %s makes its proxy %s', (health, status) => {
    expect(afterSeeing(row(), 't1', health)).toMatchObject({ tunnelHealth: health, status });
  });

  it('ends and begins what visitors get, also where its health alone was known', () => {
    const active = row({ status: 'active', tunnelHealth: 'healthy' });
    expect(afterSeeing(active, 't1', 'down')).toMatchObject({ tunnelHealth: 'down', status: 'inactive' });
    const late = row({ status: 'inactive', tunnelHealth: 'healthy' });
    expect(afterSeeing(late, 't1', 'healthy')).toMatchObject({ status: 'active' });
  });

  it('and is known already changes nothing', () => {
    expect(afterSeeing(row(), 't1', 'inactive')).toBeNull();
    expect(afterSeeing(row({ status: 'active', tunnelHealth: 'healthy' }), 't1', 'healthy')).toBeNull();
  });

  it('that is no longer the proxy’s, or of a deleted proxy, changes nothing', () => {
    for (const health of ['healthy', 'missing'] as const) {
      expect(afterSeeing(row(), 'before-the-recreate', health)).toBeNull();
      expect(afterSeeing(row({ applied: null }), 't1', health)).toBeNull();
      expect(afterSeeing(row({ removedAt: new Date() }), 't1', health)).toBeNull();
    }
  });

  it('that is missing is reported, but not while the worker may just be replacing it', () => {
    expect(afterSeeing(row(), 't1', 'missing')).toMatchObject({
      applied: null,
      tunnelHealth: null,
      status: 'error',
      statusReason: 'tunnel_gone',
    });
    expect(afterSeeing(row({ generation: 3 }), 't1', 'missing')).toBeNull();
  });

  it('does not hide that the proxy has failed, or is suspended', () => {
    expect(afterSeeing(row({ status: 'error' }), 't1', 'healthy')).toMatchObject({ status: 'error' });
    const suspended = row({ applied: { ...applied, suspended: true } });
    expect(afterSeeing(suspended, 't1', 'healthy')).toMatchObject({ status: 'inactive' });
  });
});
