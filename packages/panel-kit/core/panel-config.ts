import type { PanelConfig } from '@talpa/contracts/panel-config';

let config: PanelConfig | undefined;

/** What the gateway wrote into the page: version, tunnel domain, provider, links. */
export function panelConfig(): PanelConfig {
  config ??= JSON.parse(document.getElementById('panel-config')?.textContent ?? '') as PanelConfig;
  return config;
}
