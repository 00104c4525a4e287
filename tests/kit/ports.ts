import { createServer } from 'node:net';

/** A port on which nobody listens now. */
export const freePort = () => freePorts(1);

/**
 * The first of so many ports in a row on which nobody listens now. The system never gives one of these away by itself, so none is
 * lost to another process that asks for any port.
 */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const ports = Array.from({ length: count }, (_, place) => first + place);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
