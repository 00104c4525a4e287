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
  removedAt: null,
  applied,
  ...changes,
});

describe('what was seen of a tunnel', () => {
  it.each([
    ['healthy', 'active'],
    ['degraded', 'active'],
    ['down', 'inactive'],
  ] as const)('as %s makes its proxy %s', (health, status) => {
    expect(afterSeeing(row(), health)).toMatchObject({ tunnelHealth: health, status });
  });

  it('ends and begins what visitors get, also where its health alone was known', () => {
    const active = row({ status: 'active', tunnelHealth: 'healthy' });
    expect(afterSeeing(active, 'down')).toMatchObject({ tunnelHealth: 'down', status: 'inactive' });
    const late = row({ status: 'inactive', tunnelHealth: 'healthy' });
    expect(afterSeeing(late, 'healthy')).toMatchObject({ status: 'active' });
  });

  it('and is known already changes nothing', () => {
    expect(afterSeeing(row(), 'inactive')).toBeNull();
    expect(afterSeeing(row({ status: 'active', tunnelHealth: 'healthy' }), 'healthy')).toBeNull();
  });

  it('of a proxy without a tunnel, or a deleted one, changes nothing', () => {
    for (const health of ['healthy', 'missing'] as const) {
      expect(afterSeeing(row({ applied: null }), health)).toBeNull();
      expect(afterSeeing(row({ removedAt: new Date() }), health)).toBeNull();
    }
  });

  it('that is missing is reported', () => {
    expect(afterSeeing(row(), 'missing')).toMatchObject({
      applied: null,
      tunnelHealth: null,
      status: 'error',
      statusReason: 'tunnel_gone',
    });
  });

  it('does not hide that the proxy has failed, or is suspended', () => {
    expect(afterSeeing(row({ status: 'error' }), 'healthy')).toMatchObject({ status: 'error' });
    const suspended = row({ applied: { ...applied, suspended: true } });
    expect(afterSeeing(suspended, 'healthy')).toMatchObject({ status: 'inactive' });
  });
});
