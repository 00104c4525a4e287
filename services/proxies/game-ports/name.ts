interface NameSettings {
  readonly EDGE_TCP_NAME?: string | undefined;
  readonly PUBLIC_URL?: string | undefined;
  readonly TUNNEL_DOMAIN?: string | undefined;
}

/** @throws Error when the name that players use is one that browsers have cookies for */
export function refuseNameWithCookies({
  EDGE_TCP_NAME: name,
  PUBLIC_URL,
  TUNNEL_DOMAIN,
}: NameSettings): void {
  const isPanels = PUBLIC_URL !== undefined && new URL(PUBLIC_URL).hostname === name;
  if (name && (isPanels || `.${name}`.endsWith(`.${TUNNEL_DOMAIN}`)))
    throw new Error(
      `EDGE_TCP_NAME is ${name}, a host of the panel or of subdomains: browsers have cookies for those. Give game ports a name of their own.`,
    );
}
