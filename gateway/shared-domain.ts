/** Under a country's domain these are no person's or firm's: `co.uk`, `com.au`. */
const registries: ReadonlySet<string> = new Set([
  ...['ac', 'co', 'com', 'edu', 'gob', 'gov', 'gv', 'go', 'mil', 'ne', 'net', 'or', 'org'],
]);

/**
 * The domain for which a host under `tunnelDomain` can set cookies that the panel gets; null when there is none. Known
 * without the list of public suffixes, it may name one that a registry shares out in a way of its own.
 */
export function sharedDomain(panelHost: string, tunnelDomain: string): string | null {
  const [panel, tunnel] = [panelHost, tunnelDomain].map((name) => name.toLowerCase().split('.').reverse());
  if (!panel || !tunnel || /^[\d.]+$|[[:]/.test(panelHost)) return null;
  let count = 0;
  while (count < panel.length && panel[count] === tunnel[count]) count += 1;
  const isRegistrys = panel[0]?.length === 2 && registries.has(panel[1] ?? '');
  return count >= (isRegistrys ? 3 : 2) ? panel.slice(0, count).reverse().join('.') : null;
}

/** What is wrong with reaching the panel by http beside such subdomains; null when nothing is. */
export function cookieWarning(publicUrl: string | undefined, tunnelDomain: string): string | null {
  if (!publicUrl?.startsWith('http:')) return null;
  const domain = sharedDomain(new URL(publicUrl).hostname, tunnelDomain);
  if (!domain) return null;
  return (
    `PUBLIC_URL uses http, and the panel and TUNNEL_DOMAIN share the domain ${domain}: anyone who has a subdomain can set ` +
    'session cookies for the panel. Use https for PUBLIC_URL, or a TUNNEL_DOMAIN on another domain.'
  );
}
