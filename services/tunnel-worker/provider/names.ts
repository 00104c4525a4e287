const separator = '-g';

/** What our objects at the provider are called. Never a user's text. */
export interface ProxyNames {
  /** All tunnels of this proxy begin so, whatever their incarnation. */
  readonly tunnelPrefix: string;
  tunnel(incarnation: number): string;
  /** The incarnation a tunnel's name tells; null when it is not one of this proxy's. */
  incarnationOf(tunnelName: string): number | null;
  /** Marks the DNS records of this proxy. */
  readonly comment: string;
}

/** The names of one proxy's objects in one installation. */
export function namesOf(installationId: string, proxyId: string): ProxyNames {
  const tunnelPrefix = `talpa-${installationId}-${proxyId}${separator}`;
  return {
    tunnelPrefix,
    tunnel: (incarnation) => `${tunnelPrefix}${incarnation}`,
    incarnationOf: (tunnelName) => {
      const rest = tunnelName.startsWith(tunnelPrefix) ? tunnelName.slice(tunnelPrefix.length) : '';
      return /^[1-9]\d{0,8}$/.test(rest) ? Number(rest) : null;
    },
    comment: `${commentPrefix(installationId)}${proxyId}`,
  };
}

/** Marks the DNS records of this installation, whichever proxy they are of. */
export function isOurComment(installationId: string, comment: string): boolean {
  return comment.startsWith(commentPrefix(installationId));
}

/** What a record of ours points to. */
export function recordContent(tunnelId: string): string {
  return `${tunnelId}.cfargotunnel.com`;
}

function commentPrefix(installationId: string): string {
  return `talpa ${installationId} `;
}
