import { type Certificate, certificate, type Routes, tunnelProviders, type Verb } from '@talpa/contracts';
import { z } from 'zod';
import type { WorkerContext } from '../context.ts';
import { askEmbedded } from './ask.ts';

const certificates = z.array(certificate).nullable();

/** The certificates that the embedded provider orders; null where it orders none, or Cloudflare has them. */
export const listCertificates: Verb<Routes['GET /api/admin/certificates'], WorkerContext> = async (
  context,
): Promise<Certificate[] | null> =>
  tunnelProviders[context.settings.TUNNEL_PROVIDER].certificates
    ? certificates.parse(await askEmbedded(context, 'GET', '/certificates'))
    : null;
