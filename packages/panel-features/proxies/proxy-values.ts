import type { ProxyConfig, ProxyEntries, ProxyEntry } from '@talpa/contracts';
import { knownPanels, originDefaults, type PanelKind, panelPresets } from '@talpa/contracts/panels';

type Typed<Value> = Value extends number ? string | number : NonNullable<Value>;
/** What a proxy is made from, as its form holds it. */
export type ProxyValues = { readonly [Entry in ProxyEntry]: Typed<ProxyEntries[Entry]> };

/** What the form takes over from a known panel; of another one nothing is known. */
export function valuesOfPanel(panel: PanelKind): Partial<ProxyValues> {
  if (panel === 'own') return {};
  const { port, protocol, verifyCertificate } = panelPresets[panel];
  return { adminPort: port, originProtocol: protocol, verifyCertificate };
}

/** What the form of a new proxy starts with: the connector runs on the game server itself. */
export const newProxy: ProxyValues = {
  ...{ serverName: '', serverIP: '127.0.0.1', adminPort: '', customUrl: '' },
  ...originDefaults,
  ...{ originServerName: '', httpHostHeader: '' },
  // Its port is the usual one; which panel runs there, the user has not said.
  ...valuesOfPanel(knownPanels[0]),
};

/** What the form starts with for what else a proxy's panel has browsers reach: it is where the panel is. */
export function secondProxy({ panel, serverName, serverIP }: ProxyConfig): ProxyValues {
  const { second } = panel === 'own' ? {} : panelPresets[panel];
  if (!second) return newProxy;
  const { name, port } = second;
  return { ...newProxy, panel: 'own', serverName: `${serverName} ${name}`, serverIP, adminPort: port };
}

/** A proxy's values as its form starts with. */
export function valuesOf(proxy: ProxyConfig): ProxyValues {
  const entries = Object.keys(newProxy) as ProxyEntry[];
  return Object.fromEntries(entries.map((entry) => [entry, proxy[entry] ?? ''])) as unknown as ProxyValues;
}

/** What the form sends. The server checks it, and takes an empty text for none. What only https has is not sent for http. */
export function toRequest(values: ProxyValues) {
  const { verifyCertificate, originServerName, http2Origin } = originDefaults;
  const none = { verifyCertificate, originServerName, http2Origin };
  return {
    ...values,
    adminPort: Number(values.adminPort),
    ...(values.originProtocol === 'http' && none),
  };
}
