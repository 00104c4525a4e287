import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { authorityCertificate, createAuthority, openAuthority, readAuthority } from './authority.ts';

it('an authority is made once, whoever starts at the same time, and only its owner reads it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'talpa-authority-'));
  const file = join(folder, 'secrets', 'edge.pem');
  const all = await Promise.all(Array.from({ length: 4 }, () => readAuthority(undefined, file)));
  expect(new Set(all).size).toBe(1);
  expect(await readAuthority(undefined, file)).toBe(all[0]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, 'secrets'))).toEqual(['edge.pem']);
  rmSync(folder, { recursive: true });
});

it('what connectors are given of it holds no key, and the edge’s certificate is good by it for both names', async () => {
  const pem = await createAuthority();
  const authority = await openAuthority(pem);
  expect(authority.certificate).toBe(authorityCertificate(pem));
  expect(authority.certificate).not.toContain('KEY');
  const root = new X509Certificate(authority.certificate);
  const now = Date.now();
  const issued = await authority.issue(now);
  const server = new X509Certificate(issued.cert);
  expect(root.ca).toBe(true);
  expect(server.ca).toBe(false);
  expect(server.checkIssued(root) && server.verify(root.publicKey)).toBe(true);
  for (const name of ['h2.cftunnel.com', 'probe.cftunnel.com']) expect(server.checkHost(name)).toBe(name);
  expect(issued.renewAt).toBeLessThan(server.validToDate.getTime());
  expect(issued.renewAt).toBeGreaterThan(now);
});
