/** What an installation has because of its tunnel provider. */
interface Capabilities {
  /** Its API and its edge run here: visitors pass through what is ours. */
  readonly runsHere: boolean;
  /** Visitors can be asked who they are, or refused. */
  readonly accessPolicies: boolean;
  readonly customDomains: boolean;
  readonly gamePorts: boolean;
  /** Visitors' requests can be recorded. */
  readonly requestLog: boolean;
  /** What goes through a tunnel is counted. */
  readonly traffic: boolean;
  /** Whether the panel behind a connector responds is known. */
  readonly originHealth: boolean;
  /** A change of a connector is reported at once, not found by asking. */
  readonly reportsConnectors: boolean;
  /** What is open at a suspended proxy ends there; elsewhere its tunnel's connections are cut, with its siblings'. */
  readonly suspendsSingly: boolean;
  /** Certificates of public names are ordered here. */
  readonly certificates: boolean;
  /** An operator's account there can be wrong, and is checked. */
  readonly account: boolean;
}

/** Every tunnel provider, by its name in TUNNEL_PROVIDER, with what it can do. */
export const tunnelProviders = {
  embedded: {
    runsHere: true,
    accessPolicies: true,
    customDomains: true,
    gamePorts: true,
    requestLog: true,
    traffic: true,
    originHealth: true,
    reportsConnectors: true,
    suspendsSingly: true,
    certificates: true,
    account: false,
  },
  cloudflare: {
    runsHere: false,
    accessPolicies: false,
    customDomains: false,
    gamePorts: false,
    requestLog: false,
    traffic: false,
    originHealth: false,
    reportsConnectors: false,
    suspendsSingly: false,
    certificates: false,
    account: true,
  },
} satisfies Record<string, Capabilities>;

export type TunnelProvider = keyof typeof tunnelProviders;
export const tunnelProviderNames = Object.keys(tunnelProviders) as [TunnelProvider, ...TunnelProvider[]];
