import { createServer } from 'node:net';
import { PlainError } from './say.ts';

/** Says it before anything is started; the gateway would only find out at the end. Port 0 is never taken. */
export async function refuseTakenPort(setting: string, host: string, port: number): Promise<void> {
  await new Promise<void>((done, refuse) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      refuse(new PlainError(reasonOf(error, setting, host, port))),
    );
    probe.listen(port, host, () => probe.close(() => done()));
  });
}

function reasonOf(error: NodeJS.ErrnoException, setting: string, host: string, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} is taken. Choose another: ${setting}=${port + 1} npm start`;
  if (error.code === 'EACCES')
    return `Port ${port} is only for root. Choose one above 1023: ${setting}=8080 npm start`;
  return `Cannot listen on ${host}:${port} (${error.code}). Check HOST and ${setting}.`;
}
