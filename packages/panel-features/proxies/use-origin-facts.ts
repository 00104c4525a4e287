import type { ProxyConfig } from '@talpa/contracts';
import { panelChoice } from './panel-settings.ts';
import { useProxyTexts } from './texts.ts';

/** Which admin panel a proxy leads to and how the connector speaks to it, as labels and texts; what is as usual is left out. */
export function useOriginFacts(proxy: ProxyConfig): (readonly [label: string, text: string])[] {
  const t = useProxyTexts();
  const { panel, originProtocol, verifyCertificate, http2Origin } = proxy;
  const protocol = [
    originProtocol.toUpperCase(),
    ...(http2Origin ? ['HTTP/2'] : []),
    ...(verifyCertificate ? [] : [t('origin.unverified')]),
  ];
  const named = [
    [t('origin.serverName'), proxy.originServerName],
    [t('origin.hostHeader'), proxy.httpHostHeader],
  ] as const;
  return [
    [t('field.panel'), panelChoice(t, panel)],
    [t('field.originProtocol'), protocol.join(', ')],
    ...named.flatMap(([label, text]) => (text === null ? [] : [[label, text] as const])),
  ];
}
