import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  installBlock,
  installHelp,
  leadsNowhere,
  outboundPorts,
  outboundProtocols,
} from './install-block.ts';
import {
  containerSystems,
  enrolCommand,
  type Installation,
  isContainer,
  linuxSystems,
} from './install-steps.ts';

const token = Buffer.from('{"a":"x","t":"y","s":"z"}').toString('base64');
const edge = { address: 'edge.example.net:7844', authorityUrl: 'https://panel.example.com/edge-ca.pem' };
const plain = { system: 'debian', token, second: null, replaces: false, edge: null } as const;
const block = (installation: Partial<Installation>) =>
  installBlock({ ...plain, ...installation }, (title) => `“${title}”`);
/** What the administrator's shell gets: the block is data to the shell it is pasted into. */
const inner = (text: string) => text.split('\n').slice(1, -1).join('\n');
const onLinux = [...linuxSystems, ...containerSystems] as const;
const variants = onLinux.flatMap((system) =>
  [null, edge].flatMap((where) => [null, 'spiel-2'].map((second) => ({ system, edge: where, second }))),
);

describe('the installation', () => {
  it.each(variants)('on Linux is one block the shell accepts, with the whole token once: %o', (variant) => {
    const text = block(variant);
    for (const script of [text, inner(text)]) {
      const checked = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
      expect(checked.stderr).toBe('');
      expect(checked.status).toBe(0);
    }
    expect(text.split(token)).toHaveLength(2);
  });

  it('on Linux runs to its end though a program in it reads, asks for no sudo of root, and stops at a failure', () => {
    const folder = mkdtempSync(join(tmpdir(), 'talpa-block-'));
    const lines = (...commands: string[]) => {
      const [begin = ''] = block({}).split('\n');
      const text = [begin, '{', ...commands, '} </dev/null', 'TALPA'].join('\n');
      // No sudo on this path.
      const env = { PATH: folder };
      spawnSync('ln', ['-sf', '/bin/bash', '/bin/sh', '/bin/cat', folder]);
      return spawnSync('/bin/bash', ['-c', text], { env, encoding: 'utf8' });
    };
    try {
      expect(lines('cat', 'echo end').stdout).toBe('end\n');
      const failed = lines('false', 'echo end');
      expect([failed.stdout, failed.status]).toEqual(['', 1]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.each([...onLinux, 'windows'] as const)(
    'on %s names an edge of ours four times, its authority and the protocol; Cloudflare’s it does not',
    (system) => {
      const own = block({ system, edge });
      expect(own).toContain(`TUNNEL_EDGE=${Array(4).fill('edge.example.net:7844').join(',')}`);
      expect(own).toContain(edge.authorityUrl);
      expect(own).toContain('TUNNEL_TRANSPORT_PROTOCOL=http2');
      expect(own).toMatch(/TUNNEL_CACERT=\S+\.pem/);
      expect(block({ system })).not.toMatch(/TUNNEL_EDGE|TUNNEL_CACERT|\.pem/);
    },
  );

  it.each([...variants, { system: 'windows', edge: null, second: null } as const])(
    'has the connector come back within seconds, however often it was cut off before: %o',
    (variant) => {
      const text = block(variant);
      expect(text.split('TUNNEL_RETRIES=0')).toHaveLength(2);
      // What is set after the start does not count before the next one.
      const starts = text.lastIndexOf(
        variant.system === 'windows'
          ? 'Restart-Service'
          : variant.second
            ? 'systemctl restart'
            : 'service install',
      );
      if (!isContainer(variant.system)) expect(text.indexOf('TUNNEL_RETRIES')).toBeLessThan(starts);
    },
  );

  it('of a second connector leaves the first one’s service alone, and so does the help for it', () => {
    for (const system of [...onLinux, 'windows'] as const) {
      const installation = { system, edge, second: 'spiel-2' } as const;
      const text = `${block(installation)}\n${Object.values(installHelp(installation)).join('\n')}`;
      expect(text).not.toMatch(
        /service (un)?install|cloudflared\.service\b|--name cloudflared(?!-)|Services\\Cloudflared'|-u cloudflared(?!-)/,
      );
      expect(text).toContain('spiel-2');
    }
  });

  it('of a second connector and in containers keeps the token out of command lines and environments, for others may read those', () => {
    for (const system of containerSystems)
      for (const second of [null, 'spiel-2']) {
        const text = block({ system, second });
        expect(text).toContain('TUNNEL_TOKEN_FILE=/');
        const [line = ''] = text.split('\n').filter((one) => one.includes(token));
        const [, file = ''] = /^echo '\S+' > (\S+)$/.exec(line) ?? [];
        // The program in the container is not root.
        expect(text).toContain(`install -m 400 -o 65532 -g 65532 /dev/null ${file}\n`);
      }
    for (const system of ['debian', 'rpm', 'binary', 'windows'] as const)
      for (const line of block({ system, second: 'spiel-2' }).split('\n'))
        if (line.includes(token)) expect(line).toMatch(/^(echo|Set-Content) /);
  });

  it.each(variants)(
    'of a connector that was installed before removes that one right before, if it is there: %o',
    (variant) => {
      const lines = block({ ...variant, replaces: true }).split('\n');
      const removes = lines.findIndex((line) => /uninstall|docker rm -f|disable --now/.test(line));
      const starts = lines.findIndex((line) =>
        /service install|docker run|install -m 600|install -d -m 700/.test(line),
      );
      expect(removes).toBeGreaterThan(0);
      expect(removes).toBeLessThan(starts);
      expect(lines[removes]).toMatch(/ \|\| true$/);
      expect(lines[removes]?.includes('spiel-2')).toBe(variant.second !== null);
      expect(block(variant)).not.toMatch(/uninstall|docker rm|disable --now/);
    },
  );

  it('is helped by probing the very edge the connector dials', () => {
    expect(installHelp({ ...plain, edge }).port).toContain('/dev/tcp/edge.example.net/7844');
    expect(installHelp({ ...plain, system: 'windows' }).port).toBe(
      'Test-NetConnection region1.v2.argotunnel.com -Port 7844',
    );
  });

  it('on Windows Server, which has no winget, takes cloudflared from its own releases', () => {
    const lines = block({ system: 'windows' }).split('\n');
    const withWinget = lines.find((line) => line.includes('winget install'));
    const without = lines.find((line) => line.includes('cloudflared-windows-amd64.msi'));
    expect(withWinget).toMatch(/^if \(\$winget\) \{ .* \}$/);
    expect(without).toMatch(/^if \(-not \$winget\) \{ .* \}$/);
    // What follows needs it on the path.
    const path = lines.findIndex((line) => line.startsWith('$env:Path'));
    expect(path).toBeGreaterThan(lines.indexOf(without ?? ''));
  });

  it('names UDP to let out only where the connector may use it', () => {
    expect(outboundProtocols({ edge: null })).toEqual(['TCP', 'UDP']);
    expect(outboundProtocols({ edge })).toEqual(['TCP']);
  });

  it('names the ports to let out: the edge’s own, each once', () => {
    const portsOf = (address: string) => outboundPorts({ edge: { address } });
    expect(outboundPorts({ edge: null })).toEqual(['7844', '443', '80']);
    expect(portsOf('edge.example.net:12345')).toEqual(['12345', '443', '80']);
    expect(portsOf('[2001:db8::1]:443')).toEqual(['443', '80']);
  });
});

it.each([
  ['localhost', '127.0.0.1:7844', 'tunnel.localhost', false],
  ['192.0.2.7', '127.0.0.1:7844', 'tunnel.localhost', true],
  ['panel.example.com', '127.0.0.1:7844', 'tunnel.example.com', true],
  ['panel.example.com', 'edge.example.com:7844', 'tunnel.localhost', true],
  ['panel.example.com', 'edge.example.com:7844', 'tunnel.example.com', false],
])('is refused at %s where the edge is %s and the domain %s: %s', (host, address, tunnelDomain, refused) => {
  expect(leadsNowhere(host, { edge: { address }, tunnelDomain })).toBe(refused);
  expect(leadsNowhere(host, { edge: null, tunnelDomain })).toBe(false);
});

it.each(['curl', 'wget'])('the one command of a panel runs where only %s is installed', (program) => {
  const folder = mkdtempSync(join(tmpdir(), 'talpa-command-'));
  symlinkSync('/bin/sh', join(folder, 'sh'));
  const script = `#!/bin/sh\necho 'talpa_enrol() { echo "enrolled with $1"; }'\n`;
  writeFileSync(join(folder, program), script, { mode: 0o755 });
  const command = enrolCommand('https://panel.example.com/install/de.sh', 'key-1', false);
  const ran = spawnSync('/bin/sh', ['-c', command], { env: { PATH: folder }, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect([ran.stdout, ran.status]).toEqual(['enrolled with key-1\n', 0]);
});
