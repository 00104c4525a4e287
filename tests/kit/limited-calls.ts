import type { FastifyInstance } from 'fastify';

let addresses = 0;
/** Each test comes from addresses of its own: the counts are in one Redis. */
export function newAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

/** The statuses of so many calls, one after the other. */
export async function statuses(
  times: number,
  send: (n: number) => Promise<{ statusCode: number }>,
): Promise<number[]> {
  const seen: number[] = [];
  for (let n = 0; n < times; n += 1) seen.push((await send(n)).statusCode);
  return seen;
}

/** A sign-in with a wrong password, from an address. */
export function signIn(
  app: FastifyInstance,
  username: string,
  remoteAddress: string,
  headers: Record<string, string> = {},
) {
  return app.inject({
    method: 'POST',
    url: '/api/login',
    remoteAddress,
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
    payload: { username, password: 'guess' },
  });
}
