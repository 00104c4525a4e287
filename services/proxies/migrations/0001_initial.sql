-- The order people expect: without regard to case first, and srv2 before srv10.
create collation natural_order (provider = icu, locale = 'de-u-kn-true');

-- Users as this service knows them: projections of billing's rows (what they may have) and of auth's. Each has the version of its
-- own snapshot. Creates lock the row.
create table users (
  user_id bigint primary key,
  tier text,
  proxy_limit integer not null default 0,
  expires_at timestamptz,
  subscription_version integer not null default 0,
  -- Null until auth's first snapshot has arrived, and after the user was deleted.
  username text,
  suspended_at timestamptz,
  suspension_reason text,
  user_version integer not null default 0,
  -- The user was deleted: nothing may be created any more.
  closed boolean not null default false
);

create table proxies (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  user_id bigint not null,
  server_name text not null,
  server_ip text not null,
  admin_port integer not null,
  custom_url text,
  hostname text not null,
  proxy_port integer not null,
  created_at timestamptz not null default now(),
  version integer not null default 1,
  -- Since when this version holds: stats makes the history of it.
  changed_at timestamptz not null default now(),
  status text not null,
  status_reason text,

  -- The proxy's own suspension.
  suspended_at timestamptz,
  suspension_reason text,
  -- Its owner's suspension and name, copied from users, so that lists and snapshots need this row alone.
  owner_suspended_at timestamptz,
  owner_suspension_reason text,
  owner_name text,

  -- The desired state at the provider. Each change raises the generation; removed_at wants nothing there.
  generation integer not null default 1,
  incarnation integer not null default 1,
  last_incarnation integer not null default 1,
  removed_at timestamptz,

  -- What was last reported from there, and the entries it was made from.
  applied_generation integer not null default 0,
  applied jsonb,
  applied_entries jsonb,
  -- What the provider said of the applied tunnel, and since when; null without a tunnel.
  tunnel_health text,
  tunnel_health_at timestamptz,

  -- A caller waits until then: a refusal may still remove or restore the row.
  awaited_until timestamptz,
  -- The present generation restores the entries after a refusal.
  restoring boolean not null default false,
  -- When the worker was last asked to check the proxy.
  woken_at timestamptz not null default now(),

  -- What is searched: columns, because the planner keeps statistics of columns. Administrators search for the owner's name, too.
  name_key text not null generated always as (lower(server_name)) stored,
  searchable text not null
    generated always as (lower(server_name || ' ' || hostname || ' ' || server_ip)) stored,
  searchable_by_all text not null generated always as
    (lower(server_name || ' ' || hostname || ' ' || server_ip || ' ' || coalesce(owner_name, ''))) stored,
  -- The users who are members, copied so that a proxy's snapshot needs its row alone.
  member_ids jsonb not null default '[]',
  -- What is recorded of visitors' requests: metadata, live, off.
  request_log text not null default 'metadata'
);
-- How often a text is in these columns must be known well: it decides between the indexes.
alter table proxies alter column searchable set statistics 1000;
alter table proxies alter column searchable_by_all set statistics 1000;

create index proxies_lagging on proxies (woken_at) where generation > applied_generation;

-- One index for each order and filter of the lists, ending in the id: the newest pages cost what the first do.
create index proxies_all on proxies (id) where removed_at is null;
create index proxies_by_name on proxies (server_name collate natural_order, id) where removed_at is null;
create index proxies_by_status on proxies (status, id) where removed_at is null;
create index proxies_by_status_name on proxies (status, server_name collate natural_order, id)
  where removed_at is null;
create index proxies_by_user on proxies (user_id, id) where removed_at is null;
create index proxies_by_user_name on proxies (user_id, server_name collate natural_order, id)
  where removed_at is null;
create index proxies_containing on proxies using gin (searchable gin_trgm_ops) where removed_at is null;
create index proxies_containing_by_all on proxies using gin (searchable_by_all gin_trgm_ops)
  where removed_at is null;
create index proxies_starting on proxies (name_key text_pattern_ops) where removed_at is null;

-- A public name belongs to one proxy, until its record is gone at the provider.
create table hostnames (
  hostname text primary key,
  proxy_uuid uuid not null,
  -- What the label looks like, as `labelSkeleton` in the contracts says: nobody gets one that looks like another's.
  skeleton text not null
    generated always as (replace(translate(split_part(hostname, '.', 1), '01', 'ol'), 'm', 'rn')) stored
);
create index hostnames_by_proxy on hostnames (proxy_uuid);
create index hostnames_by_skeleton on hostnames (skeleton);

-- Domains that users bring for their proxies.
create table domains (
  id bigint generated always as identity primary key,
  proxy_id bigint not null references proxies on delete cascade,
  user_id bigint not null,
  -- ASCII, lower case.
  host text not null,
  -- What the TXT record must hold: random, so that no other user's record verifies it.
  token text not null,
  state text not null default 'pending',
  problem text,
  created_at timestamptz not null default now(),
  checked_at timestamptz,
  verified_at timestamptz,
  -- Checks that failed since the last one that did not, and since when.
  failures integer not null default 0,
  failing_since timestamptz,
  -- When it is checked next; null: only when somebody asks for it.
  check_at timestamptz,
  -- It is to lead to the proxy's tunnel.
  served boolean not null default false,
  -- No other user can have the host: it is served, or its record may still be at the provider.
  held boolean not null default false,
  -- Removed by a user; the row goes when its record is gone at the provider.
  removed_at timestamptz
);
create unique index domains_held on domains (host) where held;
create unique index domains_of_user on domains (user_id, host) where removed_at is null;
create index domains_by_proxy on domains (proxy_id);
create index domains_due on domains (check_at) where check_at is not null;

-- Members of proxies, and invitations to become one.
create table members (
  id bigint generated always as identity primary key,
  proxy_id bigint not null references proxies on delete cascade,
  -- Null: an invitation for the first who opens its link.
  user_id bigint,
  role text not null,
  -- When the membership ends by itself.
  member_until timestamptz,
  created_at timestamptz not null default now(),
  -- The member who has invited them; null: the owner or an administrator has. An invitation is good while they could make it.
  invited_by bigint,
  -- Null: an invitation.
  joined_at timestamptz,
  -- Until when an invitation may be accepted.
  invited_until timestamptz,
  -- Where an open invitation is sent by email.
  email text,
  -- SHA-256 of each secret that the link of an invitation was made with: an email that is sent again has a new one.
  token_hashes bytea[] not null default '{}',
  -- Whom an open invitation by name names, as its inviter wrote it, and the key by which names are the same. Null: it is no such invitation.
  -- With a user_id somebody had that name then, and they alone may accept; without one nobody had. Its inviter does not see which.
  invited_name text,
  invited_key text
);
create index members_of_proxy on members (proxy_id);
create unique index members_joined on members (proxy_id, user_id) where joined_at is not null;
create unique index members_invited on members (proxy_id, invited_key) where joined_at is null;
create index members_by_token on members using gin (token_hashes);
create index members_by_user on members (user_id);
create index members_ending on members (least(member_until, invited_until))
  where member_until is not null or invited_until is not null;

-- Who may visit a proxy; without a row everybody may.
create table access_policies (
  proxy_uuid uuid primary key references proxies (uuid) on delete cascade,
  policy jsonb not null,
  -- Raised by each change: who has passed an earlier wall has to pass the new one.
  version integer not null default 1,
  -- argon2id.
  pin_hash text,
  password_hash text,
  -- Who gets codes by email: addresses in lower case. Not in the policy, which the edge reads.
  emails text[] not null default '{}'
);

-- Visits: who has passed the wall before a proxy.
create table visits (
  id uuid primary key default gen_random_uuid(),
  proxy_uuid uuid not null references access_policies on delete cascade,
  -- SHA-256 of the secret in the visitor's cookie.
  token_hash bytea not null unique,
  policy_version integer not null,
  -- How they have passed: pin, password, member, or owner.
  methods text[] not null,
  -- Who signed in at Talpa, with which session; null: nobody did.
  user_id bigint,
  auth_session uuid,
  -- They passed because they are an administrator.
  as_admin boolean not null default false,
  address text not null,
  user_agent text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Where the code went with which they have passed.
  email text
);
create index visits_by_proxy on visits (proxy_uuid);
create index visits_by_user on visits (user_id) where user_id is not null;
create index visits_by_expiry on visits (expires_at);

-- What carries a sign-in from the panel to the wall, once, within 30 seconds.
create table access_codes (
  code_hash bytea primary key,
  proxy_uuid uuid not null references access_policies on delete cascade,
  host text not null,
  -- SHA-256 of what the wall has given the browser.
  state_hash bytea not null,
  user_id bigint not null,
  auth_session uuid,
  method text not null check (method in ('owner', 'member')),
  as_admin boolean not null,
  -- When the membership ends.
  member_until timestamptz,
  expires_at timestamptz not null default now() + interval '30 seconds'
);
create index access_codes_by_user on access_codes (user_id);

-- Tries with a PIN or a password: of a visitor, and of all visitors of a proxy (visitor '').
create table access_tries (
  proxy_uuid uuid not null references access_policies on delete cascade,
  visitor text not null,
  since timestamptz not null default now(),
  tries integer not null default 1,
  primary key (proxy_uuid, visitor)
);

-- TCP ports of game servers that are public at the edge.
create table game_ports (
  id bigint generated always as identity primary key,
  -- Null once the removed proxy is gone.
  proxy_id bigint references proxies on delete set null,
  proxy_uuid uuid not null,
  -- The owner: for the limit.
  user_id bigint not null,
  public_port integer not null check (public_port between 1 and 65535),
  -- An IP address, never a name: connectors refuse names. It follows the proxy's server_ip.
  target_host text not null,
  target_port integer not null check (target_port between 1 and 65535),
  -- minecraft, rcon, other.
  preset text not null,
  -- Who may connect: an access policy of the kind open or rules, without rules of paths.
  rules jsonb not null,
  -- The connection begins with the visitor's address, in the PROXY protocol.
  proxy_protocol boolean not null default false,
  created_at timestamptz not null default now(),
  -- From then on it is closed. The public port stays reserved for seven days, so that players' saved addresses lead to
  -- nobody else.
  removed_at timestamptz,
  check (proxy_id is not null or removed_at is not null)
);
create unique index game_ports_by_public_port on game_ports (public_port) where removed_at is null;
create index game_ports_by_proxy on game_ports (proxy_id) where removed_at is null;
create index game_ports_of_user on game_ports (user_id) where removed_at is null;
create index game_ports_removed on game_ports (public_port, removed_at) where removed_at is not null;

-- What lets programs pass the wall of a proxy.
create table service_tokens (
  id integer generated always as identity primary key,
  proxy_uuid uuid not null references proxies (uuid) on delete cascade,
  name text not null,
  -- SHA-256 of what the program sends.
  token_hash bytea not null unique,
  -- The member or administrator who has made it; null: the owner.
  created_by bigint,
  created_at timestamptz not null default now(),
  -- Null: never.
  expires_at timestamptz,
  -- Its creator could make it because they are an administrator.
  as_admin boolean not null default false
);
create index service_tokens_by_proxy on service_tokens (proxy_uuid);
create index service_tokens_by_creator on service_tokens (created_by) where created_by is not null;

-- What a visitor has requested, whether or not the address is listed: that is looked at when the email is to be sent.
create table access_email_codes (
  -- The cause of its email.
  id uuid primary key default gen_random_uuid(),
  proxy_uuid uuid not null references access_policies on delete cascade,
  policy_version integer not null,
  address text not null,
  host text not null,
  language text not null,
  -- SHA-256 of what the wall has given the browser.
  state_hash bytea not null unique,
  -- SHA-256 of state_hash and the code; null until the email is sent.
  code_hash bytea,
  -- Wrong ones.
  tries integer not null default 0,
  -- Counted anew when the code is made.
  expires_at timestamptz not null default now() + interval '10 minutes',
  -- How long tries are counted, the same for every request. When its code expires depends on whether it was sent: were tries counted until
  -- then, the time that the last one takes would show whether the address is listed.
  counts_until timestamptz not null default now() + interval '20 minutes',
  -- SHA-256 of the secret of the visit that the code has begun.
  visit_token bytea
);
create index access_email_codes_by_proxy on access_email_codes (proxy_uuid);
create index access_email_codes_by_end on access_email_codes (counts_until);

-- Emails of the last hour whose code nobody has entered, by the owner of the proxies. It outlives policy and proxy: an owner who
-- saves a policy again and again sends no more than others.
create table access_code_mails (
  code_id uuid primary key,
  owner_id bigint not null,
  -- SHA-256.
  address_hash bytea not null,
  sent_at timestamptz not null default now()
);
create index access_code_mails_by_owner on access_code_mails (owner_id);
create index access_code_mails_by_time on access_code_mails (sent_at);

-- Names that a proxy had. For some days nobody but its former owner gets them: browsers still have cookies for them, and people links.
create table reserved_hostnames (
  hostname text primary key,
  -- As of `hostnames`.
  skeleton text not null
    generated always as (replace(translate(split_part(hostname, '.', 1), '01', 'ol'), 'm', 'rn')) stored,
  user_id bigint not null,
  released_at timestamptz not null default now()
);
create index reserved_hostnames_by_skeleton on reserved_hostnames (skeleton);
create index reserved_hostnames_of_user on reserved_hostnames (user_id, released_at);

-- The edge enforces the policies and opens the game ports. It compares no email address, so it reads none.
grant usage on schema proxies to edge_app;
grant select (id, uuid, applied, suspended_at, owner_suspended_at, request_log) on proxies to edge_app;
grant select (proxy_uuid, policy, version, pin_hash, password_hash) on access_policies to edge_app;
grant select (token_hash, proxy_uuid, policy_version, methods, expires_at) on visits to edge_app;
grant select on game_ports to edge_app;
