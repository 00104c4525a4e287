import { createReserved, reservedLabels } from './reserved.ts';

const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

/** A DNS label made from free text: ä → ae, other marks stripped, the rest joined by hyphens, at most 63. */
export function labelOf(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüß]/g, (letter) => umlauts[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '');
}

/** What a label looks like: those that people confuse have one skeleton (UTS #39, of the characters a label has). */
export const labelSkeleton = (label: string): string =>
  label.replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('m', 'rn');

/** Whether a label is one that nobody may have. */
export const isReservedLabel = createReserved(reservedLabels, labelSkeleton);

/** Whether somebody may have a subdomain, and why not: nothing about who has it. */
export const subdomainAvailabilities = ['free', 'taken', 'similar', 'reserved', 'invalid'] as const;
export type SubdomainAvailability = (typeof subdomainAvailabilities)[number];

export type Subdomain =
  | { readonly label: string }
  | {
      readonly problem: 'subdomainEmpty' | 'subdomainInvalid' | 'subdomain_reserved';
      readonly label?: string;
    };

/**
 * The subdomain of a proxy: the custom one if given, else made from the server's name. A pasted full host
 * under the tunnel domain is reduced to its label; any other dot or URL is refused.
 */
export function subdomainOf(serverName: string, customUrl: string | null, tunnelDomain: string): Subdomain {
  let wish = (customUrl ?? serverName).trim().toLowerCase();
  if (customUrl !== null) {
    if (wish.endsWith(`.${tunnelDomain}`)) wish = wish.slice(0, -tunnelDomain.length - 1);
    if (/[./:]/.test(wish)) return { problem: 'subdomainInvalid' };
  }
  const label = labelOf(wish.replace(/^-+/, ''));
  if (label === '') return { problem: 'subdomainEmpty' };
  if (isReservedLabel(label)) return { problem: 'subdomain_reserved', label };
  return { label };
}

/** The public address of a proxy, as visitors type it. Ports 80 and 443 go without saying. */
export function publicUrl(proxy: { cfDomain: string; proxyPort: number }): string {
  const scheme = proxy.proxyPort === 443 ? 'https' : 'http';
  const port = proxy.proxyPort === 443 || proxy.proxyPort === 80 ? '' : `:${proxy.proxyPort}`;
  return `${scheme}://${proxy.cfDomain}${port}`;
}
