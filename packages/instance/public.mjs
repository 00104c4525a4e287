/**
 * What an installation with certificates of its own (ACME_EMAIL) listens on where nothing else is set: the edge on the
 * public ports of all addresses, the panel behind it on this machine alone.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function withPublicDefaults(env) {
  if (!env.ACME_EMAIL) return env;
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  return {
    EDGE_HTTP_PORT: '80',
    EDGE_HTTPS_PORT: '443',
    EDGE_HOST: '0.0.0.0',
    EDGE_CONNECTOR_HOST: '0.0.0.0',
    TUNNEL_PUBLIC_PORT: '443',
    TRUST_PROXY: '127.0.0.1',
    ...given,
  };
}
