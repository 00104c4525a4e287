export type TrustProxy = false | string | ((address: string, hop: number) => boolean);

/** TRUST_PROXY in Fastify's terms: nobody, a number of hops, or a list of addresses and networks. */
export function trustProxyOf(setting: string): TrustProxy {
  const text = setting.trim();
  if (text === '') return false;
  return /^\d+$/.test(text) ? (_address, hop) => hop < Number(text) : text;
}
