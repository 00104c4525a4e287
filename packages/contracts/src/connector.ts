/** cloudflared opens as many connections as it is given addresses, at most four. */
const connections = 4;

/**
 * The options of cloudflared, as variables: how it comes back, and how it uses an edge of ours. After each loss it waits a
 * random time below 10 s × 2^n; n grows to TUNNEL_RETRIES (5 by default: 320 s), and is forgotten only after a quiet time.
 * @param edge where an edge of ours is (`host:port`); null: Cloudflare's own
 * @param authority the file with the edge's certificate authority
 */
export function connectorVariables(edge: string | null, authority: string): string[] {
  const ofEdge = edge !== null && [
    `TUNNEL_EDGE=${Array.from({ length: connections }, () => edge).join(',')}`,
    `TUNNEL_CACERT=${authority}`,
    'TUNNEL_TRANSPORT_PROTOCOL=http2',
    'TUNNEL_NO_PRECHECKS=true',
  ];
  return ['TUNNEL_RETRIES=0', ...(ofEdge || [])];
}

/** The connector that the install scripts install: a release of cloudflared, and its files by SHA-256 as its release notes name them. */
export const connectorRelease = {
  version: '2026.9.3',
  mirror: 'https://github.com/cloudflare/cloudflared/releases/download/2026.9.3',
  files: {
    'cloudflared-linux-amd64': '77e26d8d900e0b8469f416239d14b5f296525fdf79fee6f511ef55609e3fbac2',
    'cloudflared-linux-arm64': 'aaeb2d7d0da3614634c7e03ab13487a1522c2e79165ed2929cfe23d5e95b326d',
    'cloudflared-linux-armhf': 'a714b1bee87e71ce7260555b30722ce711d12aaa0fee5a8aadc767ee6b816a14',
    'cloudflared-linux-arm': '967dc371a3fedbf09e881c13ee7ba317155ebc336cbd4afb756b46fc6785e5af',
    'cloudflared-linux-386': 'd6b2f917e2e78b3e3afba760af726e51751d10c2fcad4a2fb2a69feb4bd47421',
    'cloudflared-windows-amd64.exe': 'f096265ec2fcbe9bb6e2d64268db167ced3fcbb83d894bdb9e2fcdb26f2ea7e2',
    'cloudflared-windows-386.exe': '9b95ddc2eba67b86ed3dc4cc2a15881960563031b52ce564376af41fb91ad402',
  },
} as const;

/** Where the gateway serves the scripts that install a connector, and below that its files. */
export const connectorPath = '/install';
