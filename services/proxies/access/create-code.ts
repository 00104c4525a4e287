import { createHash, randomBytes } from 'node:crypto';
import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { ProxiesContext } from '../context.ts';
import { lockWalled, refuseSuspended, urlOf, wayIn } from './walled.ts';

/** Where the edge takes the code. */
const returnPath = '/.talpa/access/return';

/** Carries a sign-in to the wall of a proxy that the caller may visit. To others it must look as if there were none. */
export const createAccessCode: Verb<Routes['POST /api/access-codes'], ProxiesContext> = async (
  context,
  { host, state },
) => {
  const { actor, settings } = context;
  refuseSuspended(actor);
  const code = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(code).digest();
  // In one transaction, which holds the proxy: a membership or a host that leaves it meanwhile ends the code too.
  await context.transaction(async ({ sql }) => {
    const proxy = await lockWalled(sql, host);
    const way = proxy && (await wayIn(sql, proxy, actor));
    if (!proxy || !way) throw new AppError('visit_refused');
    await sql`
      insert into access_codes (code_hash, proxy_uuid, host, state_hash, user_id, auth_session, method, as_admin, member_until)
      values (${hash}, ${proxy.uuid}, ${host}, ${Buffer.from(state, 'base64url')}, ${actor.userId},
        ${actor.sessionId}, ${way.method}, ${way.asAdmin}, ${way.until})`;
  });
  const url = new URL(returnPath, urlOf(host, settings));
  url.searchParams.set('code', code);
  return { url: url.href };
};
