import { type Routes, tunnelProviders, type Verb } from '@talpa/contracts';
import type { WorkerContext } from '../context.ts';
import { askEmbedded } from './ask.ts';

/** Has a certificate ordered now. */
export const orderCertificate: Verb<Routes['POST /api/admin/certificates/order'], WorkerContext> = async (
  context,
  { name },
) => {
  if (!tunnelProviders[context.settings.TUNNEL_PROVIDER].certificates) return { ordered: false };
  const found = await askEmbedded(context, 'POST', '/certificates/order', { name });
  if (found === null) return { ordered: false };
  const target = { kind: 'certificate', id: name, label: name } as const;
  await context.transaction((tx) => tx.audit({ target, subjectUserId: context.actor.userId }));
  return { ordered: true };
};
