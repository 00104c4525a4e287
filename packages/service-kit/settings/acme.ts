import { z } from 'zod';
import { keyRing, nameServerAddress, positive, webAddress } from './forms.ts';

/** The settings of the certificates that Talpa orders itself (ACME); part of `knownSettings`. */
export const acmeSettings = {
  ACME_EMAIL: z.email().optional().meta({
    description:
      'HTTPS for panel and subdomains, with certificates that Talpa orders and renews (ACME); PUBLIC_URL must use https. The certificate authority gets the address; you accept its terms of service.',
  }),
  ACME_DIRECTORY: webAddress.default('https://acme-v02.api.letsencrypt.org/directory').meta({
    description: 'The certificate authority, and an external account if it demands one.',
  }),
  ACME_EAB_KEY_ID: z.string().min(1).optional(),
  ACME_EAB_KEY: z.string().min(1).optional().meta({ secret: true }),
  ACME_CLOUDFLARE_TOKEN: z.string().min(1).optional().meta({
    secret: true,
    description:
      'One wildcard certificate for all subdomains (DNS-01): a Cloudflare token with the permission to edit DNS, or a name server that takes updates (RFC 2136), `dns://key-name:secret@ns1.example.net` with an hmac-sha256 secret in base64. Otherwise each subdomain gets its own certificate when it is first visited.',
  }),
  ACME_RFC2136_URL: nameServerAddress.optional().meta({ secret: true }),
  ACME_WEEKLY_LIMIT: positive.default(40).meta({
    description:
      "New certificates in seven days, without renewals. Let's Encrypt allows 50 per registered domain.",
  }),
  CERTIFICATE_KEYS: keyRing.meta({
    description: 'Encrypt the private keys of certificates.',
  }),
} as const satisfies Record<string, z.ZodType>;
