import type { ErrorTexts } from './error-texts.ts';

/** Errors of custom domains. */
export const domainsErrors = {
  domain_taken: {
    status: 409,
    de: 'Die Domain „{domain}“ ist bereits eingetragen. Entfernen Sie sie dort, oder wählen Sie eine andere.',
    en: 'The domain “{domain}” is already in use. Remove it there, or choose a different one.',
  },
  domain_limit_reached: {
    status: 403,
    de: 'Der Plan enthält keine weitere eigene Domain (erlaubt: {limit}). Entfernen Sie eine, oder wechseln Sie zu einem größeren Plan.',
    en: 'The plan includes no more custom domains (allowed: {limit}). Remove one, or upgrade to a larger plan.',
  },
  domain_not_found: {
    status: 404,
    de: 'Diese Domain gehört nicht mehr zu dem Proxy. Laden Sie die Seite neu.',
    en: 'This domain no longer belongs to the proxy. Reload the page.',
  },
  domains_unavailable: {
    status: 409,
    de: 'Eigene Domains gibt es nur mit Talpas eigenem Edge. Diese Installation verwendet Cloudflare.',
    en: 'Custom domains are available only with Talpa’s own edge. This installation uses Cloudflare.',
  },
} as const satisfies ErrorTexts;
