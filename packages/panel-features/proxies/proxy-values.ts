import type { ProxyConfig, ProxyEntry } from '@talpa/contracts';

/** What the form of a new proxy starts with: the connector runs on the game server itself. */
export const newProxy = {
  serverName: '',
  serverIP: '127.0.0.1',
  adminPort: 40_120,
  customUrl: '',
} satisfies Record<ProxyEntry, string | number>;

/** What a proxy is made from, as its form holds it. */
export type ProxyValues = {
  readonly [Entry in ProxyEntry]: (typeof newProxy)[Entry] extends number ? string | number : string;
};

/** A proxy's values as its form starts with. */
export function valuesOf(proxy: ProxyConfig): ProxyValues {
  const entries = Object.keys(newProxy) as ProxyEntry[];
  return Object.fromEntries(entries.map((entry) => [entry, proxy[entry] ?? ''])) as unknown as ProxyValues;
}

/** What the form sends. The server checks it, and takes an empty text for none. */
export const toRequest = (values: ProxyValues) => ({ ...values, adminPort: Number(values.adminPort) });
