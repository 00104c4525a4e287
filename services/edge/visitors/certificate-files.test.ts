import { rmSync, writeFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { createLog } from '@talpa/service-kit/log';
import { certificateFiles, serverCertificates } from '@talpa/test-kit/certificate';
import { expect, it, onTestFinished, vi } from 'vitest';
import { certificateOfFiles } from './certificate-files.ts';

it('a certificate in files that has expired is served, and the log says what to do', () => {
  const files = certificateFiles();
  onTestFinished(() => rmSync(files.folder, { recursive: true }));
  const log = createLog('edge', 'silent');
  const warn = vi.spyOn(log, 'warn');
  certificateOfFiles(files, log);
  expect(warn).not.toHaveBeenCalled();
  const { cert, key } = serverCertificates.expired;
  writeFileSync(files.certFile, cert);
  writeFileSync(files.keyFile, key);
  createSecureContext(certificateOfFiles(files, log).options);
  expect(warn.mock.lastCall?.[1]).toContain('replace the files of EDGE_TLS_CERT and EDGE_TLS_KEY');
});
