import { createHash, randomBytes } from 'node:crypto';
import {
  mostServiceTokens,
  type Routes,
  type ServiceToken,
  tunnelProviders,
  type Verb,
} from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { findMembership, findProxy, lockProxy } from '../proxy/find.ts';
import { saveProxy } from '../proxy/row.ts';
import { refuseSuspended } from '../proxy/suspension.ts';

/** A token as it is stored, without the hash of its secret. */
export interface TokenRow {
  readonly id: number;
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

const dayMs = 24 * 3_600_000;

/** The service tokens of a proxy, without their secrets. */
export const listServiceTokens: Verb<
  Routes['GET /api/tunnel-configs/:id/service-tokens'],
  ProxiesContext
> = async (context, { id }) => {
  const { uuid } = await findProxy(context.reads, id, context);
  const rows = await context.reads<TokenRow[]>`
    select id, name, created_at, expires_at from service_tokens where proxy_uuid = ${uuid} order by id`;
  return rows.map(publicToken);
};

/** Creates a service token. Only this response has its secret. */
export const createServiceToken: Verb<
  Routes['POST /api/tunnel-configs/:id/service-tokens'],
  ProxiesContext
> = async (context, { id, name, days }) => {
  const { actor, settings } = context;
  await findProxy(context.reads, id, context);
  // Cloudflare has no wall to pass.
  if (!tunnelProviders[settings.TUNNEL_PROVIDER].accessPolicies) throw new AppError('access_unavailable');
  const secret = `talpa_st_${randomBytes(32).toString('base64url')}`;
  const hash = createHash('sha256').update(secret).digest();
  return context.transaction(async (tx) => {
    const proxy = await lockProxy(tx, id, context);
    refuseSuspended(proxy, actor);
    const [counted] = await tx.sql<{ count: number }[]>`
      select count(*) as count from service_tokens where proxy_uuid = ${proxy.uuid}`;
    if ((counted?.count ?? 0) >= mostServiceTokens)
      throw new AppError('service_token_limit', { params: { limit: mostServiceTokens } });
    const membership = await findMembership(tx.sql, proxy, actor);
    const ends = [days && Date.now() + days * dayMs, membership?.until && Date.parse(membership.until)];
    const earliest = Math.min(...ends.filter((end) => typeof end === 'number'));
    const expiresAt = Number.isFinite(earliest) ? new Date(earliest) : null;
    const isOwner = proxy.userId === actor.userId;
    const [row] = await tx.sql<TokenRow[]>`
      insert into service_tokens (proxy_uuid, name, token_hash, created_by, as_admin, expires_at)
      values (${proxy.uuid}, ${name}, ${hash}, ${isOwner ? null : actor.userId}, ${!isOwner && !membership}, ${expiresAt})
      returning id, name, created_at, expires_at`;
    if (!row) throw new Error('the token was not stored');
    // Programs that have tried an old one until now get in with this one.
    await tx.sql`delete from access_tries where proxy_uuid = ${proxy.uuid} and visitor like 'token %'`;
    await saveProxy(tx, proxy);
    const end = expiresAt ? { expiresAt: { to: expiresAt.toISOString() } } : {};
    await tx.audit({ ...auditOf(proxy), changes: { serviceToken: { to: name }, ...end } });
    return { token: publicToken(row), secret };
  });
};

/** Revokes a service token; a trigger has every edge cut what its program has open. */
export const revokeServiceToken: Verb<
  Routes['DELETE /api/tunnel-configs/:id/service-tokens/:tokenId'],
  ProxiesContext
> = (context, { id, tokenId }) =>
  context.transaction(async (tx) => {
    const proxy = await lockProxy(tx, id, context);
    const [row] = await tx.sql<Pick<TokenRow, 'name'>[]>`
      delete from service_tokens where id = ${tokenId} and proxy_uuid = ${proxy.uuid} returning name`;
    if (!row) throw new AppError('service_token_not_found');
    await saveProxy(tx, proxy);
    await tx.audit({ ...auditOf(proxy), changes: { serviceToken: { from: row.name } } });
    return null;
  });

/** A token as the API shows it. */
export const publicToken = ({ id, name, createdAt, expiresAt }: TokenRow): ServiceToken => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
});
