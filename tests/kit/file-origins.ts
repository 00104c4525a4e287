import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join, posix, win32 } from 'node:path';
import { text } from 'node:stream/consumers';
import { findProgram } from '@talpa/instance/system-packages';
import { temporaryHome } from './home.ts';
import { freePorts } from './ports.ts';
import { until } from './wait.ts';

/** Says which of its files an origin serves for a target; null: none. */
type Serve = (target: string) => Promise<string | null> | string | null;

/** Origins with the same files, each of which reads targets in its own way. `stop` ends their processes. */
export interface FileOrigins {
  readonly origins: Readonly<Record<string, Serve>>;
  readonly stop: () => Promise<void>;
}

const said = /SERVED (\S+)/;

/** Starts nginx and Apache with these files, and adds what servers of other kinds would read. @param files their paths */
export async function startFileOrigins(files: readonly string[]): Promise<FileOrigins> {
  const folder = temporaryHome();
  for (const file of files) {
    mkdirSync(join(folder, 'www', dirname(file)), { recursive: true });
    writeFileSync(join(folder, 'www', file), `SERVED ${file}\n`);
  }
  const port = await freePorts(4);
  const [nginx, nginxPlain, apache, apachePlain] = [port, port + 1, port + 2, port + 3];
  writeFileSync(join(folder, 'nginx.conf'), nginxSettings(folder, nginx, nginxPlain));
  writeFileSync(join(folder, 'apache.conf'), apacheSettings(folder, apache, apachePlain));
  const processes = [
    start('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', join(folder, 'nginx.log')]),
    start('apache2', ['-X', '-f', join(folder, 'apache.conf')]),
  ];
  for (const one of [nginx, nginxPlain, apache, apachePlain])
    await until(`an origin on port ${one}`, () => fetched(one, '/index.html'));
  const servers: Record<string, Serve> = {
    nginx: (target) => fetched(nginx, target),
    'nginx that merges no slashes': (target) => fetched(nginxPlain, target),
    Apache: (target) => fetched(apache, target),
    'Apache that decodes no slashes': (target) => fetched(apachePlain, target),
  };
  // As cloudflared 2026.8.0 and 2026.8.1 pass them on.
  const decoding = Object.entries(servers).map(
    ([name, serve]) =>
      [`${name} behind what decodes`, (target: string) => serve(decodedOnce(target))] as const,
  );
  return {
    origins: { ...servers, ...Object.fromEntries(decoding), ...careless(new Set(files)) },
    stop: async () => {
      for (const one of processes) one.kill('SIGTERM');
      await Promise.all(processes.map((one) => one.exitCode ?? once(one, 'exit')));
    },
  };
}

function start(name: 'nginx' | 'apache2', options: string[]): ChildProcess {
  const file = findProgram(name);
  if (!file) throw new Error(`${name} is not installed`);
  return spawn(file, options, { stdio: process.env.TALPA_TEST_KEEP ? 'inherit' : 'ignore' });
}

const nginxSettings = (folder: string, port: number, plainPort: number) => `
daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events {}
http {
  access_log off; root ${folder}/www; index index.html; types {} default_type text/plain;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server { listen 127.0.0.1:${port}; }
  server { listen 127.0.0.1:${plainPort}; merge_slashes off; }
}`;

/** A file takes what follows it in the path (AcceptPathInfo), as PHP's files do. */
const apacheSettings = (folder: string, port: number, plainPort: number) => `
ServerRoot /usr/lib/apache2
ServerName localhost
PidFile ${folder}/apache.pid
ErrorLog ${folder}/apache.log
DefaultRuntimeDir ${folder}
LoadModule mpm_event_module modules/mod_mpm_event.so
LoadModule authz_core_module modules/mod_authz_core.so
LoadModule dir_module modules/mod_dir.so
User www-data
Group www-data
Listen 127.0.0.1:${port}
Listen 127.0.0.1:${plainPort}
HttpProtocolOptions Unsafe
DocumentRoot ${folder}/www
DirectoryIndex index.html
AcceptPathInfo On
<VirtualHost 127.0.0.1:${port}>
  AllowEncodedSlashes On
</VirtualHost>
<VirtualHost 127.0.0.1:${plainPort}>
  AllowEncodedSlashes NoDecode
  MergeSlashes Off
</VirtualHost>`;

async function fetched(port: number, target: string): Promise<string | null> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`, 'latin1');
  return (await text(socket)).match(said)?.[1] ?? null;
}

/** Spaces, line ends and NUL stay as they are: no request line can have them. */
const decodedOnce = (target: string) =>
  target.replace(/%(?!20|0a|0d|00)([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

const decodedFully = (target: string): string => {
  const next = target.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return next === target ? next : decodedFully(next);
};

/** Servers of Node, Java and Windows, as far as a path is concerned. */
function careless(files: ReadonlySet<string>): Record<string, Serve> {
  const lower = new Map([...files].map((file) => [file.toLowerCase(), file]));
  const exact = (path: string) => (files.has(path) ? path : null);
  const pathOf = (target: string) => target.split('?', 1)[0] ?? '';
  const inWindows = (path: string) => {
    const parts = win32.normalize(path).split('\\');
    const plain = parts.map((part) => part.replace(/::?\$.*$|[. ]+$/g, ''));
    return lower.get(`/${plain.filter(Boolean).join('/')}`.toLowerCase()) ?? null;
  };
  const asUrl = (target: string) => {
    try {
      return new URL(target, 'http://localhost').pathname;
    } catch {
      return '';
    }
  };
  return {
    'Node by new URL': (target) => exact(decodedFully(asUrl(target))),
    'Node by path.join': (target) => exact(posix.join('/', decodedOnce(pathOf(target)))),
    'what decodes twice': (target) => exact(posix.join('/', decodedOnce(decodedOnce(pathOf(target))))),
    'what decodes until nothing is left': (target) => exact(posix.join('/', decodedFully(pathOf(target)))),
    'what cuts parameters first': (target) =>
      exact(posix.join('/', decodedOnce(pathOf(target).replace(/;[^/]*/g, '')))),
    'what cuts parameters after decoding': (target) =>
      exact(posix.join('/', decodedOnce(pathOf(target)).replace(/;[^/]*/g, ''))),
    'what cuts at a NUL': (target) =>
      exact(posix.join('/', decodedFully(pathOf(target)).split('\0', 1)[0] ?? '')),
    'what cuts at a fragment': (target) =>
      exact(posix.join('/', decodedFully(pathOf(target.split('#', 1)[0] ?? '')))),
    Windows: (target) => inWindows(decodedOnce(pathOf(target))),
    'Windows by new URL': (target) => inWindows(decodedFully(asUrl(target))),
    'Windows without parameters': (target) => inWindows(decodedFully(pathOf(target)).replace(/;[^/]*/g, '')),
    'Windows with look-alikes': (target) =>
      inWindows(
        Buffer.from(decodedFully(pathOf(target)), 'latin1')
          .toString()
          .normalize('NFKC'),
      ),
  };
}
