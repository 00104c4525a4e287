import type { Text } from './language.ts';

/** Why a custom domain cannot be added or found; part of `errors`. */
export const domainErrors = {
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
} as const satisfies Readonly<Record<string, Text & { readonly status: number }>>;
