import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type Installation, installSteps, linuxSystems } from './install-steps.ts';

const token = Buffer.from('{"a":"x","t":"y","s":"z"}').toString('base64');
const edge = { address: 'edge.example.net:7844', authorityUrl: 'https://panel.example.com/edge-ca.pem' };
const script = (installation: Partial<Installation>) =>
  installSteps({ system: 'debian', token, second: null, edge: null, ...installation })
    .map(({ command }) => command)
    .join('\n');
const variants = linuxSystems.flatMap((system) =>
  [null, edge].flatMap((where) => [null, 'spiel-2'].map((second) => ({ system, edge: where, second }))),
);

describe('the installation', () => {
  it.each(variants)('on Linux is a script the shell accepts, with the whole token once: %o', (variant) => {
    const text = script(variant);
    const checked = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
    expect(checked.stderr).toBe('');
    expect(checked.status).toBe(0);
    expect(text.split(token)).toHaveLength(2);
  });

  it.each([...linuxSystems, 'windows'] as const)(
    'on %s names an edge of ours four times, its authority and the protocol; Cloudflare’s it does not',
    (system) => {
      const own = script({ system, edge });
      expect(own).toContain(`TUNNEL_EDGE=${Array(4).fill('edge.example.net:7844').join(',')}`);
      expect(own).toContain(edge.authorityUrl);
      expect(own).toContain('TUNNEL_TRANSPORT_PROTOCOL=http2');
      expect(own).toMatch(/TUNNEL_CACERT=\S+\.pem/);
      expect(script({ system })).not.toMatch(/TUNNEL_EDGE|TUNNEL_CACERT|\.pem/);
    },
  );

  it('of a second connector leaves the first one’s service alone', () => {
    for (const system of [...linuxSystems, 'windows'] as const) {
      const text = script({ system, edge, second: 'spiel-2' });
      expect(text).not.toMatch(
        /service install|cloudflared\.service\b|--name cloudflared(?!-)|Services\\Cloudflared'/,
      );
      expect(text).toContain('spiel-2');
    }
  });
});
