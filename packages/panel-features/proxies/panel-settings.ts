import { type PanelKind, panelPresets } from '@talpa/contracts/panels';
import { isLoopback } from '@talpa/contracts/reach';
import type { System } from './install-steps.ts';
import type { ProxyTranslate } from './texts.ts';

export const panelName = (t: ProxyTranslate, panel: PanelKind) =>
  panel === 'own' ? t('panel.own') : panelPresets[panel].name;

/** The same as a choice: who has chosen none has said nothing. */
export const panelChoice = (t: ProxyTranslate, panel: PanelKind) =>
  panel === 'own' ? t('panel.unsaid') : panelPresets[panel].name;

/** Panels with settings of their own; the first is the default. */
export const guides = ['txAdmin', 'pterodactyl', 'other'] as const;
export type Guide = (typeof guides)[number];
/** Their names, which are the same in all languages. */
export const guideNames = { txAdmin: 'txAdmin', pterodactyl: 'Pterodactyl, Pelican' } as const;

/** The guide that fits a panel. Of most older proxies nobody has said which they have: it is the default. */
export function guideOf(panel: PanelKind): Guide {
  if (panel === 'own') return guides[0];
  if (panel === 'pelican') return 'pterodactyl';
  return guides.find((guide) => guide === panel) ?? 'other';
}

/**
 * What a panel must know to work behind the tunnel, as its own settings say it.
 * @param url the public address
 * @param host where the connector finds the panel
 */
export function panelSettings(panel: Guide, url: string, host: string): string {
  const isLocal = isLoopback(host);
  switch (panel) {
    case 'txAdmin':
      return [`TXHOST_TXA_URL=${url}`, ...(isLocal ? ['TXHOST_INTERFACE=127.0.0.1'] : [])].join('\n');
    case 'pterodactyl':
      // An asterisk trusts every direct connection: from another machine the connector's address is not known here.
      return [`APP_URL=${url}`, `TRUSTED_PROXIES=${isLocal ? '127.0.0.1' : '*'}`].join('\n');
    case 'other':
      return url;
  }
}

/** Closes the panel's own port to the outside; programs on the same machine still reach it. */
export function closePort(system: System, port: number): string {
  return system === 'windows'
    ? `New-NetFirewallRule -DisplayName 'Talpa ${port}' -Direction Inbound -Action Block -Protocol TCP -LocalPort ${port}`
    : `sudo ufw deny ${port}/tcp`;
}
