import { createHash, randomBytes } from 'node:crypto';
import { type Actor, ownRoleOn, type Routes, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { ProxiesContext } from '../context.ts';
import { findMembership } from '../proxies/find.ts';
import type { ProxyRow } from '../proxies/row.ts';
import { readPolicy } from './row.ts';

/** Where the edge takes the code. */
const returnPath = '/.talpa/access/return';
const httpsPort = 443;

/** Carries a sign-in to the wall of a proxy that the caller may visit. To others it must look as if there were none. */
export const createAccessCode: Verb<Routes['POST /api/access-codes'], ProxiesContext> = async (
  context,
  { origin, state },
) => {
  const { actor, settings } = context;
  if (actor.suspensionReason !== undefined)
    throw new AppError('account_suspended', { params: { reason: actor.suspensionReason } });
  const url = new URL(returnPath, origin);
  if (url.protocol === 'http:' && settings.TUNNEL_PUBLIC_PORT === httpsPort) {
    // Anyone who reads the network could redeem it: they can make links to here with a state of their own.
    url.protocol = 'https:';
    url.port = '';
  }
  const code = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(code).digest();
  // In one transaction, which holds the proxy: a membership that ends meanwhile ends the code too.
  await context.transaction(async ({ sql }) => {
    const proxy = await lockByHost(sql, url.hostname);
    const way = proxy && (await wayIn(sql, proxy, actor));
    if (!proxy || !way) throw new AppError('visit_refused');
    await sql`
      insert into access_codes (code_hash, proxy_uuid, host, state_hash, user_id, auth_session, method, as_admin, member_until)
      values (${hash}, ${proxy.uuid}, ${url.hostname}, ${Buffer.from(state, 'base64url')}, ${actor.userId},
        ${actor.sessionId}, ${way.method}, ${way.asAdmin}, ${way.until})`;
  });
  url.searchParams.set('code', code);
  return { url: url.href };
};

async function lockByHost(sql: AnySql, host: string): Promise<ProxyRow | undefined> {
  const [row] = await sql<ProxyRow[]>`
    select proxies.* from proxies where removed_at is null and (
      uuid = (select proxy_uuid from hostnames where hostname = ${host})
      or id = (select proxy_id from domains where host = ${host} and served and removed_at is null limit 1))
    for share`;
  return row;
}

/** As whom the caller passes: the owner (or an administrator) always, a member where the policy lets members in. */
async function wayIn(sql: AnySql, proxy: ProxyRow, actor: Actor) {
  const { policy } = await readPolicy(sql, proxy.uuid);
  if (policy.kind !== 'wall') return null;
  if (ownRoleOn(proxy, actor))
    return { method: 'owner', asAdmin: proxy.userId !== actor.userId, until: null } as const;
  const membership = policy.methods.includes('member') ? await findMembership(sql, proxy, actor) : null;
  return membership && ({ method: 'member', asAdmin: false, until: membership.until } as const);
}
