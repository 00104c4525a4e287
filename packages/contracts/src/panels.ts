/** How connectors speak to admin panels. */
export const originProtocols = ['http', 'https'] as const;
export type OriginProtocol = (typeof originProtocols)[number];

interface PanelPreset {
  readonly name: string;
  /** What its page has in it, so that it is recognised. */
  readonly mark: string;
  readonly port: number;
  readonly protocol: OriginProtocol;
  /** False: it comes with a certificate that it has signed itself. */
  readonly verifyCertificate: boolean;
  /** What browsers also reach directly: it needs a proxy of its own. */
  readonly second?: { readonly name: string; readonly port: number };
}

const plain = (name: string, port: number, mark = name): PanelPreset => ({
  name,
  mark,
  port,
  protocol: 'http',
  verifyCertificate: true,
});

/** Where known admin panels are found once they are installed; the first is offered first. Their names are the same in all languages. */
export const panelPresets = {
  txAdmin: plain('txAdmin', 40_120),
  pterodactyl: plain('Pterodactyl', 80),
  pelican: plain('Pelican', 80),
  amp: plain('AMP', 8_080, 'CubeCoders'),
  crafty: {
    ...plain('Crafty Controller', 8_443, 'Crafty'),
    protocol: 'https',
    verifyCertificate: false,
  },
  mcsManager: { ...plain('MCSManager', 23_333), second: { name: 'Daemon', port: 24_444 } },
  nodeRed: plain('Node-RED', 1_880),
} as const satisfies Record<string, PanelPreset>;
export type KnownPanel = keyof typeof panelPresets;
export const knownPanels = Object.keys(panelPresets) as [KnownPanel, ...KnownPanel[]];

/** What a proxy leads to: a known admin panel, or one of which nobody has said more. */
export const panels = [...knownPanels, 'own'] as const;
export type PanelKind = (typeof panels)[number];

/** What nobody has said of a proxy's panel. The columns of `proxies` have the same defaults. */
export const originDefaults = {
  panel: 'own',
  originProtocol: 'http',
  verifyCertificate: true,
  originServerName: null,
  httpHostHeader: null,
  http2Origin: false,
} as const;
