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

/** Whether a text can be TRUST_PROXY. */
export function isTrustProxy(text: string): boolean {
  try {
    trustProxyOf(text);
    return true;
  } catch {
    return false;
  }
}
