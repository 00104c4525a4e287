import proxyAddr from '@fastify/proxy-addr';

export type TrustProxy = false | ((address: string, hop: number) => boolean);

/**
 * TRUST_PROXY in Fastify's terms: nobody, a number of hops, or a list of addresses and networks.
 * @throws TypeError for an address that is none
 */
export function trustProxyOf(setting: string): TrustProxy {
  const text = setting.trim();
  if (text === '') return false;
  if (/^\d+$/.test(text)) return (_address, hop) => hop < Number(text);
  return proxyAddr.compile(text.split(',').map((one) => one.trim()));
}

/** Makes the function that says whether an address is a trusted proxy's. */
export function proxyCheckOf(trust: TrustProxy): (address: string) => boolean {
  return (address) => trust !== false && trust(plainAddress(address), 0);
}

/** An IPv4 address that came over an IPv6 socket is written as IPv4. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

/** Whether a text can be TRUST_PROXY. */
export function isTrustProxy(text: string): boolean {
  try {
    trustProxyOf(text);
    return true;
  } catch {
    return false;
  }
}
