import { createServer } from 'node:net';
import { PlainError } from './say.ts';

/**
 * Says it before anything is started; the process would only find out at the end. Port 0 is never taken.
 * @param setting what names the port; `hostSetting` names the host
 * @throws PlainError
 */
export async function refuseTakenPort(
  setting: string,
  host: string,
  port: number,
  hostSetting = 'HOST',
): Promise<void> {
  await new Promise<void>((done, refuse) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      refuse(new PlainError(reasonOf(error, { setting, host, port, hostSetting }))),
    );
    probe.listen(port, host, () => probe.close(() => done()));
  });
}

function reasonOf(
  { code }: NodeJS.ErrnoException,
  { setting, host, port, hostSetting }: { setting: string; host: string; port: number; hostSetting: string },
): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is already in use. Choose another: ${setting}=${port + 1} npm start`;
  if (code === 'EACCES')
    return `Port ${port} requires root. Choose one above 1023: ${setting}=8080 npm start`;
  return `Cannot listen on ${host}:${port} (${code}). Check ${hostSetting} and ${setting}.`;
}
