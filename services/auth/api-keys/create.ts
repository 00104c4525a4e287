import { randomBytes } from 'node:crypto';
import { apiKeysPerUser, isAdminScope, type Routes, type Verb } from '@talpa/contracts';
import { AppError, invalidField } from '@talpa/service-kit/app-error';
import { callInternal } from '@talpa/service-kit/bus/request';
import { firstState } from '@talpa/service-kit/database/changes';
import type { AuthContext } from '../context.ts';
import { orderSecurityMail } from '../emails/order-security-mail.ts';
import { lockUser } from '../users/sql.ts';
import { type ApiKeyRow, apiKeyColumns, hashOfSecret, publicApiKey } from './sql.ts';

const dayMs = 24 * 60 * 60_000;

/** Creates an API key. Only this response has its secret. */
export const createApiKey: Verb<Routes['POST /api/user/api-keys'], AuthContext> = async (context, input) => {
  const { userId } = context.actor;
  const { name, scopes, proxyIds, networks, days } = input;
  const isAdminKey = scopes.some(isAdminScope);
  if (isAdminKey && proxyIds) throw invalidField('proxyIds', 'adminKeyProxies');
  if (proxyIds) await refuseForeignProxies(context, userId, proxyIds);
  const secret = randomBytes(32).toString('hex');
  const expiresAt = days === null ? null : new Date(Date.now() + days * dayMs);
  return context.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('not_signed_in');
    if (isAdminKey && !user.isAdmin) throw invalidField('scopes', 'adminScope');
    const [row] = await tx.sql<[{ count: number }]>`
      select count(*) from api_keys where user_id = ${userId}`;
    if (row.count >= apiKeysPerUser)
      throw new AppError('api_key_limit', { params: { limit: apiKeysPerUser } });
    const params = { changedAt: new Date().toISOString(), apiKey: name };
    const announcedBy = await orderSecurityMail(tx, userId, { kind: 'api_key_created', params });
    const [created] = await tx.sql<[ApiKeyRow]>`
      insert into api_keys (user_id, name, secret_hash, scopes, proxy_ids, networks, expires_at, announced_by)
      values (${userId}, ${name}, ${hashOfSecret(secret)}, ${scopes}, ${proxyIds}, ${networks}, ${expiresAt},
        ${announcedBy})
      returning ${apiKeyColumns(tx.sql)}`;
    await tx.audit({
      target: { kind: 'apiKey', id: created.id, label: name },
      subjectUserId: userId,
      changes: firstState({
        scopes: scopes.join(', '),
        proxies: proxyIds?.join(', ') ?? null,
        networks: networks.join(', ') || null,
        expiresAt: expiresAt?.toISOString() ?? null,
      }),
    });
    return { apiKey: publicApiKey(created), key: `talpa_${created.id}_${secret}` };
  });
};

/** One error, whether a proxy is closed to the user or does not exist. @throws AppError `invalid_input` */
async function refuseForeignProxies(
  context: AuthContext,
  userId: number,
  proxyIds: readonly number[],
): Promise<void> {
  const { nc, whileWaiting } = context;
  const question = callInternal(nc, 'proxies.findReachable', { userId, ids: [...proxyIds] }, context);
  const reachable = new Set((await whileWaiting(question)).ids);
  if (!proxyIds.every((id) => reachable.has(id))) throw invalidField('proxyIds', 'foreignProxies');
}
