const separator = '-g';
const tunnelHost = '.cfargotunnel.com';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What says whose a record is. */
interface MarkedRecord {
  readonly type: string;
  readonly comment: string;
  readonly content: string;
}

/** What a server's tunnels are called at the provider. Never a user's text. */
export interface ServerNames {
  /** All tunnels of this server begin so, whatever their incarnation. */
  readonly tunnelPrefix: string;
  tunnel(incarnation: number): string;
  /** The incarnation in a tunnel's name; null when it is not one of this server's. */
  incarnationOf(tunnelName: string): number | null;
}

export function serverNames(installationId: string, serverId: string): ServerNames {
  const tunnelPrefix = `${installationPrefix(installationId)}${serverId}${separator}`;
  return {
    tunnelPrefix,
    tunnel: (incarnation) => `${tunnelPrefix}${incarnation}`,
    incarnationOf: (tunnelName) => {
      const rest = tunnelName.startsWith(tunnelPrefix) ? tunnelName.slice(tunnelPrefix.length) : '';
      return /^[1-9]\d{0,8}$/.test(rest) ? Number(rest) : null;
    },
  };
}

/** What marks the DNS records of a proxy, whichever tunnel they lead to. */
export interface ProxyNames {
  readonly comment: string;
  isOwnRecord(record: MarkedRecord): boolean;
}

export function proxyNames(installationId: string, proxyId: string): ProxyNames {
  return {
    comment: `${commentPrefix(installationId)}${proxyId}`,
    isOwnRecord: (record) => proxyOfRecord(installationId, record) === proxyId,
  };
}

/** All tunnels of this installation begin so, whichever server they are of. */
export function installationPrefix(installationId: string): string {
  return `talpa-${installationId}-`;
}

/** Which server a tunnel's name belongs to; null for a name that is none of ours. */
export function serverOfTunnel(installationId: string, tunnelName: string): string | null {
  const prefix = installationPrefix(installationId);
  const serverId = tunnelName.startsWith(prefix) ? tunnelName.slice(prefix.length, prefix.length + 36) : '';
  const isOurs =
    uuid.test(serverId) && serverNames(installationId, serverId).incarnationOf(tunnelName) !== null;
  return isOurs ? serverId : null;
}

/**
 * Which proxy a record belongs to; null for one that is none of ours. Somebody who leads our record elsewhere
 * and leaves its comment has made it their own.
 */
export function proxyOfRecord(
  installationId: string,
  { type, comment, content }: MarkedRecord,
): string | null {
  const prefix = commentPrefix(installationId);
  const proxyId = comment.startsWith(prefix) ? comment.slice(prefix.length) : '';
  const leadsToTunnel = type === 'CNAME' && content.endsWith(tunnelHost);
  return leadsToTunnel && uuid.test(proxyId) ? proxyId : null;
}

/** What a record of ours points to. */
export function recordContent(tunnelId: string): string {
  return `${tunnelId}${tunnelHost}`;
}

/** All comments of this installation's records begin so. */
export function commentPrefix(installationId: string): string {
  return `talpa ${installationId} `;
}
