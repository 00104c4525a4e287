import {
  type Certificate,
  certificate,
  type InternalCalls,
  type Routes,
  tunnelProviders,
  type Verb,
} from '@talpa/contracts';
import { z } from 'zod';
import type { WorkerContext } from '../context.ts';
import { askEmbedded } from './ask.ts';

const certificates = z.array(certificate).nullable();

/** The certificates that the embedded provider orders; null where it orders none, or Cloudflare has them. */
export const listCertificates: Verb<Routes['GET /api/admin/certificates'], WorkerContext> = (context) =>
  fetchCertificates(context);

/** The same, for the doctor. */
export const readCertificates: Verb<InternalCalls['tunnel-worker.readCertificates'], WorkerContext> = (
  context,
) => fetchCertificates(context);

async function fetchCertificates(context: Parameters<typeof askEmbedded>[0]): Promise<Certificate[] | null> {
  const { certificates: has } = tunnelProviders[context.settings.TUNNEL_PROVIDER];
  return has ? certificates.parse(await askEmbedded(context, 'GET', '/certificates')) : null;
}
