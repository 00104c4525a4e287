import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import type { Secrets } from '@talpa/instance/secrets';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { jsonOf, type Sql } from '@talpa/service-kit/database/sql';
import { openKeyRing } from '@talpa/service-kit/key-ring';
import { openSigningKeys } from '@talpa/service-kit/session/keys';
import { signSession } from '@talpa/service-kit/session/token';
import { proxyInput } from '@talpa/test-kit/client';
import { connectorToken, hashSecret, sealSecret } from '../../services/tunnel-provider/tunnels/secret.ts';
import { proxyNames, recordContent, serverNames } from '../../services/tunnel-worker/provider/names.ts';

const domain = 'tunnel.localhost';
const userId = 7;

/** What was in the database when the last release was stopped, as people know it. */
export interface Previous {
  readonly username: string;
  readonly password: string;
  /** The cookie of a session that was open. */
  readonly cookie: string;
  readonly expiresAt: Date;
  /** The key of the create that made the proxy “neu”. */
  readonly idempotencyKey: string;
  /** A proxy that was settled, with its tunnel’s token. */
  readonly settled: { readonly tunnelId: string; readonly token: string };
}

/**
 * Fills every table the last release had, by SQL in its form: somebody with a plan and three proxies, one of
 * them settled, one made when everything stopped, one deleted but not yet gone.
 */
export async function fillPrevious(adminUrl: string, secrets: Secrets): Promise<Previous> {
  const sql = openDatabase(adminUrl, 1);
  const password = 'altes-passwort';
  const expiresAt = new Date('2099-12-31T00:00:00.000Z');
  const account = secrets.installationId;
  const sessionId = randomUUID();
  try {
    await sql`insert into auth.users 
      (id, username, username_key, skeletons, password_hash, is_admin, current_tier, preferences, version) values
      (1, 'chef', 'chef', '{chef}', ${await hash(password)}, true, null, '{}', 1),
      (${userId}, 'Maulwurf', 'maulwurf', '{rnaulwurf}', ${await hash(password)}, false, 'premium',
        ${sql.json({ notifications: { email: true }, appearance: { theme: 'light' } })}, 3)`;
    await sql`insert into auth.deleted_users (id, created_at, version) values (5, now() - interval '1 year', 2)`;
    await sql`select setval(pg_get_serial_sequence('auth.users', 'id'), 20)`;
    await sql`insert into auth.sessions (id, user_id, expires_at, address, user_agent)
      values (${sessionId}, ${userId}, ${expiresAt}, '192.0.2.1', 'Firefox')`;
    await sql`insert into auth.email_addresses (user_id, address, address_key, verified_at)
      values (${userId}, 'alt@example.org', 'alt@example.org', now())`;
    await sql`insert into auth.one_time_tokens (user_id, purpose, address_id, hashes, expires_at)
      select user_id, 'reset_password', id, array[${randomBytes(32)}]::bytea[], ${expiresAt} from auth.email_addresses`;
    await sql`insert into auth.known_devices (user_id, id, place) values (${userId}, 'firefox', ${randomBytes(32)})`;
    await sql`insert into auth.reset_requests (account, client_address, user_agent, request_id)
      values ('niemand', '192.0.2.1', 'Firefox', 'alt')`;
    await sql`insert into auth.invitations (id, code_hash, tier, months, uses, used, note)
      values (1, ${randomBytes(32)}, 'basic', 3, 5, 1, 'Freunde')`;
    await sql`insert into auth.invitation_uses (user_id, invitation_id) values (${userId}, 1)`;
    await sql`insert into auth.entitlements (user_id, tier, proxy_limit, expires_at, version, deleted)
      values (${userId}, 'premium', 10, ${expiresAt}, 2, false)`;
    await sql`insert into billing.subscriptions (user_id, tier, proxy_limit, expires_at, version)
      values (${userId}, 'premium', 10, ${expiresAt}, 2)`;
    await sql`insert into proxies.users (user_id, tier, proxy_limit, expires_at, subscription_version, username, user_version)
      values (${userId}, 'premium', 10, ${expiresAt}, 2, 'Maulwurf', 3)`;

    const atProvider = async (uuid: string, hostname: string) => {
      const tunnelId = randomUUID();
      const secret = randomBytes(32);
      const sealed = sealSecret(openKeyRing(secrets.tokenKeys), tunnelId, secret);
      await sql`insert into tunnel_provider.tunnels (id, name, config_src, secret, key_id, secret_hash)
        values (${tunnelId}, ${serverNames(account, uuid).tunnel(1)}, 'cloudflare', ${sealed.secret}, ${sealed.keyId}, ${hashSecret(secret)})`;
      const ingress = [{ hostname, service: 'http://127.0.0.1:40120' }, { service: 'http_status:404' }];
      await sql`insert into tunnel_provider.configurations (tunnel_id, version, config)
        values (${tunnelId}, 1, ${sql.json({ ingress })})`;
      const dnsRecordId = randomBytes(16).toString('hex');
      await sql`insert into tunnel_provider.dns_records (id, name, type, content, proxied, ttl, comment)
        values (${dnsRecordId}, ${hostname}, 'CNAME', ${recordContent(tunnelId)}, true, 1, ${proxyNames(account, uuid).comment})`;
      const token = connectorToken(account, tunnelId, secret);
      return {
        applied: { tunnelId, dnsRecordId, incarnation: 1, hostname, origin: ingress[0]?.service ?? '' },
        token,
      };
    };
    const insertProxy = async (name: string, state: 'settled' | 'new' | 'removed') => {
      const uuid = randomUUID();
      const hostname = `${name}.${domain}`;
      const made = state === 'new' ? null : await atProvider(uuid, hostname);
      const entries = { serverName: name, serverIp: '127.0.0.1', adminPort: 40_120, customUrl: null };
      await sql`insert into proxies.proxies (uuid, user_id, owner_name, server_name, server_ip, admin_port, hostname, proxy_port,
          status, generation, applied_generation, applied, applied_entries, removed_at, woken_at) values
        (${uuid}, ${userId}, 'Maulwurf', ${name}, '127.0.0.1', 40120, ${hostname}, 8001, ${made ? 'inactive' : 'pending'},
          ${state === 'removed' ? 2 : 1}, ${made ? 1 : 0}, ${made && sql.json(made.applied)},
          ${made && sql.json(entries)}, ${state === 'removed' ? new Date() : null}, now() - interval '1 hour')`;
      await sql`insert into proxies.hostnames (hostname, proxy_uuid) values (${hostname}, ${uuid})`;
      await sql`insert into stats.counted (kind, id, version, present, active)
        values ('proxy', ${uuid}, 1, ${state !== 'removed'}, false)`;
      return { uuid, made };
    };
    const settled = await insertProxy('alt', 'settled');
    const fresh = await insertProxy('neu', 'new');
    const removed = await insertProxy('weg', 'removed');
    await sql`insert into stats.counted (kind, id, version, present, active)
      values ('user', '1', 1, true, false), ('user', ${String(userId)}, 3, true, false)`;
    await sql`update stats.totals set value = 2 where name in ('users', 'proxies')`;
    await sql`insert into tunnel_worker.job_runs (proxy_id, generation, calls, outcome, duration_ms)
      values (${settled.uuid}, 1, 3, 'applied', 40)`;
    await sql`insert into tunnel_worker.provider_problems (operation, fault, detail)
      values ('tunnels', 'tunnels_missing', '12 of 40 tunnels')`;
    await sql`insert into tunnel_worker.jobs (proxy_id, generation, failures) values (${fresh.uuid}, 1, 2)`;

    const idempotencyKey = randomUUID();
    const input = Object.entries(proxyInput('neu')).sort(([a], [b]) => (a < b ? -1 : 1));
    await sql`insert into proxies.idempotency_keys (user_id, call, key, input_hash, reference)
      values (${userId}, 'createProxy', ${idempotencyKey},
        ${createHash('sha256').update(JSON.stringify(input)).digest()}, ${fresh.uuid})`;
    await fillHistory(sql, settled.uuid, settled.made?.applied.tunnelId ?? '');
    await fillAudit(sql);
    await sql.unsafe(readFileSync(join(import.meta.dirname, 'rest.sql'), 'utf8'));

    // What was written and not yet published when everything stopped.
    const addToOutbox = (schema: string, subject: string, payload: object) =>
      sql`insert into ${sql(schema)}.outbox (subject, payload) values (${subject}, ${jsonOf(sql, payload)})`;
    for (const { uuid } of [fresh, removed])
      await addToOutbox('proxies', 'command.tunnel-worker.enqueue', { proxyId: uuid, urgent: false });
    const createdAt = new Date().toISOString();
    await addToOutbox('auth', `event.user.${userId}`, {
      id: userId,
      username: 'Maulwurf',
      isAdmin: false,
      createdAt,
      suspension: null,
      version: 3,
      deleted: false,
    });
    await addToOutbox('billing', `event.subscription.${userId}`, {
      id: userId,
      tier: 'premium',
      proxyLimit: 10,
      expiresAt: expiresAt.toISOString(),
      commandVersion: 0,
      version: 2,
      deleted: false,
    });
    const jwt = signSession(openSigningKeys(secrets.sessionKeys), { sessionId, userId, expiresAt });
    return {
      username: 'Maulwurf',
      password,
      cookie: `talpa_session=${jwt}`,
      expiresAt,
      idempotencyKey,
      settled: { tunnelId: settled.made?.applied.tunnelId ?? '', token: settled.made?.token ?? '' },
    };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Five requests at the provider, of which three were published to stats; the settled proxy has been up since yesterday. */
async function fillHistory(sql: Sql, proxyId: string, tunnelId: string): Promise<void> {
  await sql`insert into edge.traffic (tunnel_id, quarter, requests, responses_2xx, version, told_version)
    values (${tunnelId}, date_trunc('hour', now()), 5, 5, 2, 1)`;
  await sql`insert into edge.origins (tunnel_id, last_response_at, last_status) values (${tunnelId}, now(), 200)`;
  await sql`insert into stats.tunnels (tunnel_id, proxy_id) values (${tunnelId}, ${proxyId})`;
  await sql`insert into stats.owners (proxy_id, id, user_id)
    select uuid, id, user_id from proxies.proxies where uuid = ${proxyId}`;
  await sql`insert into stats.states (proxy_id, version, at, state)
    values (${proxyId}, 1, now() - interval '1 day', 'up')`;
  await sql`insert into stats.traffic (tunnel_id, quarter, version, requests, bytes_in, bytes_out, responses_1xx,
      responses_2xx, responses_3xx, responses_4xx, responses_5xx, unreachable)
    values (${tunnelId}, date_trunc('hour', now()), 1, 3, 0, 0, 0, 3, 0, 0, 0, 0)`;
  await sql`insert into stats.origins (tunnel_id, version, last_unreachable_at, unreachable_since, is_reported)
    values (${tunnelId}, 0, now() - interval '1 hour', now() - interval '2 hours', true)`;
}

/** One row that stats has read and one that it could not read. */
async function fillAudit(sql: Sql): Promise<void> {
  await sql`insert into stats.users (user_id, username, version) values (${userId}, 'Maulwurf', 3)`;
  await sql`insert into stats.audit (id, at, service, action, actor_user_id, actor_is_admin, address, user_agent,
      target_kind, target_id, target_label, subject_user_id, changes, request_id)
    values (${randomUUID()}, now() - interval '2 hours', 'auth', 'user.changePassword', ${userId}, false, '192.0.2.1',
      'Firefox', 'user', ${String(userId)}, 'Maulwurf', ${userId}, '{}', 'alt-1')`;
  const unread = {
    id: randomUUID(),
    at: new Date(Date.now() - 3_600_000).toISOString(),
    service: 'auth',
    action: 'user.changePreferences',
    actor: { userId, isAdmin: false, sessionId: null },
    client: null,
    target: { kind: 'user', id: String(userId), label: 'Maulwurf' },
    subjectUserId: userId,
    changes: {},
    requestId: 'alt-2',
  };
  await sql`insert into stats.audit_dead_letters (payload, why) values (${JSON.stringify(unread)}, 'unknown action')`;
}
