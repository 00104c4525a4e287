import type { FactorPolicy } from './factor-policy.ts';
import type { RegistrationMode } from './invitations.ts';
import type { Language } from './language.ts';
import type { PlanChangePolicy } from './plans.ts';
import type { TunnelProvider } from './tunnel-providers.ts';

/** Where the gateway serves the certificate authority of our edge, as PEM. */
export const edgeAuthorityPath = '/edge-ca.pem';

/**
 * What the panel must know before its first call. The gateway writes it as JSON into the shell's
 * index.html, in place of the text `__PANEL_CONFIG__` inside `<script type="application/json"
 * id="panel-config">`; it holds nothing that is not public.
 */
export interface PanelConfig {
  readonly version: string;
  /** The suffix of all subdomains, for example `tunnel.localhost`. */
  readonly tunnelDomain: string;
  readonly tunnelProvider: TunnelProvider;
  /** Where connectors find an edge of ours (`host:port`); null with Cloudflare. */
  readonly edge: { readonly address: string } | null;
  /** Whether users can make TCP ports of their servers public. */
  readonly gamePorts: boolean;
  /** Whether users can create protected proxies, whose visitors sign in at Talpa; the API enforces it. */
  readonly protectedProxies: boolean;
  /** For how many days requests are logged at most, whatever the plan; 0: none are. */
  readonly requestLogDays: number;
  /** Whether users see how many proxies and users there are in all; the API enforces it. */
  readonly showTotals: boolean;
  readonly defaultLanguage: Language;
  /** Who may register; the API enforces it. */
  readonly registration: RegistrationMode;
  /** Who may change the plan of a user; the API enforces it. */
  readonly planChanges: PlanChangePolicy;
  /** Whether one needs a verified email address to create anything; the API enforces it. */
  readonly emailRequired: boolean;
  /** Whether emails are sent: where MAIL_FROM is set. Where none are, administrators hand links over. */
  readonly sendsEmail: boolean;
  /** Who must have a second factor; the API enforces it. */
  readonly secondFactor: FactorPolicy;
  /** The host that passkeys belong to; null: there are none. */
  readonly passkeyHost: string | null;
  /** Whether the operator collects traces: each call then has a `traceparent`. Missing: no. */
  readonly tracing?: true;
  /** Legal and support links; those not set are missing. */
  readonly links: {
    readonly imprint?: string;
    readonly privacy?: string;
    readonly terms?: string;
    readonly support?: string;
  };
}
