import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printable, readSettings } from './settings.ts';

describe('settings', () => {
  it('that are missing or wrong are all named at once, without their values', () => {
    const read = () =>
      readSettings(['NATS_URL', 'PORT', 'SESSION_KEYS'], { PORT: 'abc', SESSION_KEYS: 'geheim' });
    expect(read).toThrow(/NATS_URL.*PORT.*SESSION_KEYS/);
    expect(read).not.toThrow(/geheim/);
  });

  it.each([
    ['TRUST_PROXY', 'everyone', '10.0.0.0/8, loopback'],
    ['EDGE_TRUST_PROXY', '10.0.0.0/8,everyone', '2'],
    ['REGISTRATION', 'geschlossen', 'closed'],
    ['SUPPORT_URL', 'javascript:alert(1)', 'https://example.org/support'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'notaurl', 'http://collector:4318'],
  ] as const)('%s is refused by its name as %s', (name, wrong, right) => {
    expect(() => readSettings([name], { [name]: wrong })).toThrow(new RegExp(`wrong: ${name}: \\S`));
    expect(readSettings([name], { [name]: right })).toEqual({ [name]: right });
  });

  it.each(['25000', '25099-25000', '80-90', '65000-65536', 'a-b', '25000-25099-25100'])(
    'EDGE_TCP_PORTS is refused as %s',
    (wrong) => {
      expect(() => readSettings(['EDGE_TCP_PORTS'], { EDGE_TCP_PORTS: wrong })).toThrow('EDGE_TCP_PORTS');
    },
  );

  it('give the range of the game ports, and none where it is empty', () => {
    expect(readSettings(['EDGE_TCP_PORTS'], { EDGE_TCP_PORTS: '25000-25099' })).toEqual({
      EDGE_TCP_PORTS: { first: 25_000, last: 25_099 },
    });
    for (const none of [{}, { EDGE_TCP_PORTS: '' }])
      expect(readSettings(['EDGE_TCP_PORTS'], none)).toEqual({ EDGE_TCP_PORTS: null });
  });

  it('in a folder that cannot be read are reported as that', () => {
    expect(() => readSettings(['PORT'], { SETTINGS_FOLDER: '/nowhere' })).toThrow(
      /^SETTINGS_FOLDER: \/nowhere cannot be read \(ENOENT\)$/,
    );
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

  it('come from the folder’s files where the environment leaves them out; what names a file is that file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'talpa-settings-'));
    const files = {
      NATS_URL: 'nats://a:b@bus:4222\n',
      PORT: '81',
      HOST: '',
      SESSION_KEYS: 'k1:…',
      '..data': 'x',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const names = ['NATS_URL', 'PORT', 'HOST', 'SESSION_KEYS'] as const;
    expect(readSettings(names, { SETTINGS_FOLDER: folder, PORT: '82', NATS_URL: '' })).toEqual({
      NATS_URL: 'nats://a:b@bus:4222',
      PORT: 82,
      HOST: '127.0.0.1',
      SESSION_KEYS: join(folder, 'SESSION_KEYS'),
    });
  });
});
