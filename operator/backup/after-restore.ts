import type { Sql } from '@talpa/service-kit/database/sql';

/**
 * What becomes of a table's rows at a restore. What opens a door and is no password may have been revoked or used
 * since the backup, so it ends (`where`: the rows that are open; all without it). What gives rights and is kept, for a reason, is
 * named to the operator.
 */
export type AfterRestore =
  | { readonly ends: 'delete'; readonly where?: string; readonly notice?: string }
  | { readonly ends: { readonly set: string }; readonly where: string; readonly notice?: string }
  | { readonly kept: string; readonly notice: string }
  | { readonly opensNothing: string };

const record = { opensNothing: 'a record' } as const;
const counts = { opensNothing: 'counts and limits' } as const;
const held = { set: "state = 'held', state_at = now(), due_at = null, holder = null" };
const links =
  'Links and invitations of before no longer work. Administrators create new invitations in the panel.';
const credentials =
  'Passwords, passkeys, linked accounts, authenticator apps and recovery codes are those of the backup. Users remove again what they had removed since.';
const rights =
  'Administrators, suspensions and deleted users are those of the backup. Administrators demote, suspend and delete again whom they had since.';
const places =
  'Deleted proxies, domains and game ports are there again, and all have the access rules of the backup. Owners close again what they had closed since.';
const tokens =
  'Tunnels have the tokens of the backup. Owners recreate again those that they had recreated since.';
const visits = 'Visitors of protected proxies sign in again.';

/** The tables that every service may have. */
const ofEverySchema: Readonly<Record<string, AfterRestore>> = {
  migrations: record,
  outbox: { opensNothing: 'messages of committed changes, which receivers apply once' },
  // What was on its way at the backup is lost: everything is published and counted again.
  stream_seen: { ends: 'delete' },
  idempotency_keys: { opensNothing: 'names what a create has made, for its user alone' },
};

/** Every table of every schema: a test finds one that is missing here. */
export const afterRestore: Readonly<Record<string, Readonly<Record<string, AfterRestore>>>> = {
  auth: {
    users: { kept: 'passwords and rights', notice: rights },
    deleted_users: record,
    sessions: { ends: 'delete', notice: 'All users sign in again.' },
    known_devices: { ends: 'delete' },
    email_addresses: record,
    // A held email gets a new link when it is sent.
    one_time_tokens: {
      ends: { set: "hashes = '{}'" },
      where: "used_at is null and voided_at is null and hashes <> '{}'",
      notice: links,
    },
    reset_requests: { ends: 'delete' },
    invitations: { ends: { set: 'revoked_at = now()' }, where: 'revoked_at is null and used_up_at is null' },
    invitation_uses: record,
    entitlements: record,
    authenticators: { ends: 'delete', where: 'confirmed_at is null' },
    pending_authenticators: { ends: 'delete' },
    recovery_codes: { kept: 'as passwords', notice: credentials },
    wrong_codes: counts,
    sign_in_challenges: { ends: 'delete' },
    passkeys: { kept: 'without them users would be locked out', notice: credentials },
    passkey_challenges: { ends: 'delete' },
    // Expired, not deleted: users see which they had.
    api_keys: {
      ends: { set: 'expires_at = now()' },
      where: 'expires_at is null or expires_at > now()',
      notice: 'API keys of before have expired. Users create new ones in their settings.',
    },
    identities: { kept: 'without them users would be locked out', notice: credentials },
    provider_requests: { ends: 'delete' },
    new_identities: { ends: 'delete' },
    registrations: counts,
    registration_challenges: { ends: 'delete' },
  },
  billing: { subscriptions: record },
  proxies: {
    users: record,
    proxies: { kept: 'connectors go on', notice: tokens },
    servers: { kept: 'connectors go on', notice: tokens },
    hostnames: { kept: 'the addresses of proxies', notice: places },
    reserved_hostnames: record,
    domains: { kept: 'the addresses of proxies', notice: places },
    members: {
      ends: 'delete',
      where: 'joined_at is null',
      notice: 'Proxies have the members of the backup. Owners remove those whom they had removed since.',
    },
    access_policies: { kept: 'without them all would be open, or closed', notice: places },
    visits: { ends: 'delete', notice: visits },
    access_codes: { ends: 'delete' },
    access_email_codes: { ends: 'delete' },
    access_code_mails: counts,
    access_tries: counts,
    game_ports: { kept: 'players have their addresses', notice: places },
    enrolment_keys: {
      ends: 'delete',
      notice: 'Install commands of before no longer work. Users get new ones in the panel.',
    },
    enrolments: { ends: 'delete' },
    machines: record,
    service_tokens: {
      ends: { set: 'expires_at = now()' },
      where: 'expires_at is null or expires_at > now()',
      notice: 'Service tokens of before have expired. Owners and members create new ones for their programs.',
    },
  },
  stats: {
    counted: record,
    totals: record,
    totals_state: { ends: { set: 'known = false, alive_at = null' }, where: 'known or alive_at is not null' },
    audit: record,
    users: record,
    audit_dead_letters: record,
    tunnels: record,
    owners: record,
    states: record,
    traffic: counts,
    origins: record,
    request_logs: record,
    requests: record,
    missed_requests: counts,
    plans: record,
    handled_messages: { ends: 'delete' },
    backups: record,
  },
  notifications: {
    users: record,
    // They may have been sent since the backup: none is sent again unasked.
    mails: {
      ends: held,
      where: 'due_at is not null',
      notice: 'Emails that waited to be sent are held back. Administrators send them in the panel.',
    },
    recipients: counts,
    restored: record,
    proxies: record,
    plans: record,
    inbox: record,
    mass_losses: record,
    announcements: record,
    channels: { opensNothing: 'where users get notifications' },
    deliveries: {
      ends: held,
      where: 'due_at is not null',
      notice: 'Notifications that waited for channels are held back. Users send them in their settings.',
    },
    origins: record,
    provider_faults: record,
    provider_fault_reports: record,
  },
  tunnel_worker: {
    jobs: record,
    job_runs: record,
    // The provider may know more than this database does now.
    resync: { ends: { set: 'held_back_at = now()' }, where: 'held_back_at is null' },
    provider_problems: record,
    reported_faults: record,
  },
  tunnel_provider: {
    tunnels: { kept: 'connectors go on', notice: tokens },
    configurations: record,
    dns_records: record,
    connections: record,
    edge_epochs: record,
    acme_accounts: {
      opensNothing: 'the key to the certificate authority, without which no certificate is renewed',
    },
    certificates: { opensNothing: 'what the edge proves its names with' },
    acme_orders: record,
    acme_challenges: record,
  },
  edge: { traffic: counts, origins: record, edges: record, port_traffic: counts, port_connections: record },
};

/** What becomes of a table; null: nobody has decided. */
export const decisionOn = (schema: string, table: string): AfterRestore | null =>
  afterRestore[schema]?.[table] ?? ofEverySchema[table] ?? null;

/** The condition of the rows that may not outlive a restore; null: all are kept. */
export const openRows = (decision: AfterRestore): string | null =>
  'ends' in decision ? (decision.where ?? 'true') : null;

/**
 * Ends what must not outlive a restore. A backup of an earlier version lacks tables.
 * @param sql as a superuser
 * @returns what the operator must know
 */
export async function endAtRestore(sql: Sql): Promise<string[]> {
  const tables = await sql<{ schema: string; name: string }[]>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname in ${sql(Object.keys(afterRestore))}`;
  for (const { schema, name } of tables) {
    const decision = decisionOn(schema, name);
    if (!decision || !('ends' in decision)) continue;
    const what =
      decision.ends === 'delete'
        ? `delete from ${schema}.${name}`
        : `update ${schema}.${name} set ${decision.ends.set}`;
    await sql.unsafe(`${what} where ${openRows(decision)}`);
  }
  const decisions = Object.values(afterRestore).flatMap((ofSchema) => Object.values(ofSchema));
  return [...new Set(decisions.flatMap((decision) => ('notice' in decision && decision.notice) || []))];
}
