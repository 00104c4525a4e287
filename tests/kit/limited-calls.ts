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
