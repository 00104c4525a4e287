import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { root } from './paths.ts';
import { PlainError, runCommand } from './say.ts';
import { defaultTunnelDomain, startTalpa, type Talpa } from './system.ts';

/** `npm start`: the whole panel, until Ctrl-C. */
await runCommand(async () => {
  const port = readPort(process.env.PORT || '8080');
  const host = process.env.HOST || '127.0.0.1';
  await refuseTakenPort(host, port);
  const began = Date.now();
  let stopAsked = () => {};
  const asked = new Promise<void>((done) => {
    stopAsked = done;
  });
  // Once for all signals: npm passes on what the terminal has sent us already.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const)
    process.on(signal, () => stopAsked());

  const starting = startTalpa({
    home: resolve(root, process.env.TALPA_HOME || '.talpa'),
    port,
    host,
    tunnelDomain: process.env.TUNNEL_DOMAIN || defaultTunnelDomain,
    ...(process.env.TALPA_ADMIN_PASSWORD ? { adminPassword: process.env.TALPA_ADMIN_PASSWORD } : {}),
    say: (line) => console.log(`… ${line}`),
  });
  const talpa = await Promise.race([starting, asked.then(() => null)]);
  if (talpa) {
    printWelcome(talpa, (Date.now() - began) / 1_000);
    await asked;
  }
  console.log('\n… stopping');
  await (await starting).stop();
  console.log('Everything is stopped.');
  process.exit(0);
});

function readPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_534)
    throw new PlainError(`PORT must be a number between 1 and 65534, not “${text}”.`);
  return port;
}

/** Said before anything is started; the gateway would only find out at the end. */
async function refuseTakenPort(host: string, port: number): Promise<void> {
  await new Promise<void>((done, refuse) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      refuse(
        new PlainError(
          error.code === 'EADDRINUSE'
            ? `Port ${port} is taken. Choose another: PORT=${port + 1} npm start`
            : `Cannot listen on ${host}:${port} (${error.code}).`,
        ),
      ),
    );
    probe.listen(port, host, () => probe.close(() => done()));
  });
}

function printWelcome(talpa: Talpa, seconds: number): void {
  const signIn = talpa.admin
    ? process.env.TALPA_ADMIN_PASSWORD
      ? `${talpa.admin.username}, with the password from TALPA_ADMIN_PASSWORD`
      : `${talpa.admin.username} / ${talpa.admin.password}   (shown only now)`
    : 'with an account you have';
  const lines = [
    '',
    `  Talpa is running (${seconds.toFixed(1)} s)`,
    '',
    `  Panel     ${talpa.url}`,
    `  Sign in   ${signIn}`,
    `  API       ${talpa.url}/api/docs`,
    `  Logs      ${talpa.home}/log`,
    '',
    '  Ctrl-C stops everything.',
    '',
  ];
  console.log(lines.join('\n'));
}
