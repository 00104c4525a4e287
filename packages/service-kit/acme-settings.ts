import { z } from 'zod';
import { keyRing, nameServerAddress, positive, webAddress } from './setting-forms.ts';

/** The settings of the certificates that Talpa orders itself (ACME); part of `knownSettings`. */
export const acmeSettings = {
  ACME_EMAIL: z.email().optional().meta({
    description:
      'Turns on HTTPS with certificates that Talpa orders and renews (ACME); needs PUBLIC_URL with https. The address is given to the certificate authority, whose terms of service you accept with it.',
  }),
  ACME_DIRECTORY: webAddress.default('https://acme-v02.api.letsencrypt.org/directory').meta({
    description:
      'The directory of the certificate authority. The credentials of an external account are needed only where it demands them.',
  }),
  ACME_EAB_KEY_ID: z.string().min(1).optional(),
  ACME_EAB_KEY: z.string().min(1).optional().meta({ secret: true }),
  ACME_CLOUDFLARE_TOKEN: z.string().min(1).optional().meta({
    secret: true,
    description:
      'Changes DNS records of the tunnel domain, so that one wildcard certificate covers all subdomains (DNS-01): a Cloudflare token with the permission to edit DNS, or a name server that takes updates (RFC 2136), `dns://key-name:secret@ns1.example.net` with the secret of an hmac-sha256 key in base64. Without either, each subdomain gets a certificate when it is first visited.',
  }),
  ACME_RFC2136_URL: nameServerAddress.optional().meta({ secret: true }),
  ACME_WEEKLY_LIMIT: positive.default(40).meta({
    description:
      "New certificates within seven days, renewals not counted. Keep it below the authority's limit: Let's Encrypt allows 50 per registered domain.",
  }),
  CERTIFICATE_KEYS: keyRing.meta({
    description:
      'Encrypt the private keys of certificates. The first key encrypts, the others still decrypt. A path is read again when the file changes.',
  }),
} as const satisfies Record<string, z.ZodType>;
