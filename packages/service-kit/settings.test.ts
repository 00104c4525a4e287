import { describe, expect, it } from 'vitest';
import { printable, readSettings } from './settings.ts';

describe('settings', () => {
  it('that are missing or wrong are all named at once, without their values', () => {
    const read = () =>
      readSettings(['NATS_URL', 'PORT', 'SESSION_KEYS'], { PORT: 'abc', SESSION_KEYS: 'geheim' });
    expect(read).toThrow(/NATS_URL.*PORT.*SESSION_KEYS/);
    expect(read).not.toThrow(/geheim/);
  });

  it('are shown without their secrets', () => {
    const keys = `k1:${'A'.repeat(43)}`;
    const settings = readSettings(['NATS_URL', 'SESSION_KEYS', 'TUNNEL_DOMAIN'], {
      NATS_URL: 'nats://user:pw@host',
      SESSION_KEYS: keys,
      TUNNEL_DOMAIN: 'tunnel.localhost',
    });
    expect(printable(settings)).toEqual({
      NATS_URL: '[set]',
      SESSION_KEYS: '[set]',
      TUNNEL_DOMAIN: 'tunnel.localhost',
    });
  });
});
