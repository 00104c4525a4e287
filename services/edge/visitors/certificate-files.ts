import { X509Certificate } from 'node:crypto';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { Log } from '@talpa/service-kit/log';
import type { ShowChallenge } from './acme-tls.ts';

/** What a TLS server shows. */
export interface CertificateSource {
  readonly options: SecureContextOptions & {
    readonly SNICallback?: (
      name: string,
      done: (error: Error | null, context?: SecureContext) => void,
    ) => void;
  };
  /** Where challenges of the authority are answered on this port. */
  readonly showChallenge?: ShowChallenge;
  /** Calls back when other options count for the names that no callback decides. @returns how to end that */
  follow(changed: (options: SecureContextOptions) => void): () => void;
}

/** Files in PEM form; read again when the certificate's changes. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

const watchIntervalMs = 30_000;

/** The certificate that an operator has put into files. @throws Error when they cannot be read */
export function certificateOfFiles({ certFile, keyFile }: CertificateFiles, log: Log): CertificateSource {
  const read = () => {
    const cert = readFileSync(certFile);
    const { validToDate: notAfter } = new X509Certificate(cert);
    if (notAfter < new Date())
      log.warn(
        { notAfter },
        'visitor certificate has expired, browsers warn of it: replace the files of EDGE_TLS_CERT and EDGE_TLS_KEY',
      );
    return { cert, key: readFileSync(keyFile) };
  };
  return {
    options: read(),
    follow: (changed) => {
      const renew = () => {
        try {
          changed(read());
          log.info('visitor certificate reloaded');
        } catch (error) {
          log.error(
            { err: error },
            'new visitor certificate cannot be used, keeping the old one: check EDGE_TLS_CERT and EDGE_TLS_KEY',
          );
        }
      };
      watchFile(certFile, { interval: watchIntervalMs, persistent: false }, renew);
      return () => unwatchFile(certFile, renew);
    },
  };
}

/**
 * The certificates that Talpa orders, found by the name a client asks for.
 * @param files of the operator: they count for the names they cover
 */
export function certificateByName(
  wait: (name: string) => Promise<SecureContext | null>,
  files: CertificateSource | null,
  showChallenge: ShowChallenge,
): CertificateSource {
  let own = files && openFiles(files.options);
  return {
    showChallenge,
    options: {
      ...files?.options,
      SNICallback: (name, done) => {
        if (own?.certificate.checkHost(name)) return done(null, own.context);
        wait(name.toLowerCase()).then(
          (context) =>
            context ? done(null, context) : done(new Error('there is no certificate for this name')),
          (error: Error) => done(error),
        );
      },
    },
    follow: (changed) =>
      files?.follow((options) => {
        own = openFiles(options);
        changed(options);
      }) ?? (() => {}),
  };
}

function openFiles(options: SecureContextOptions) {
  const certificate = new X509Certificate(options.cert as Buffer);
  return { certificate, context: createSecureContext(options) };
}
