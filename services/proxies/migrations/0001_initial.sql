-- The order people expect: without regard to case first, and srv2 before srv10.
create collation natural_order (provider = icu, locale = 'de-u-kn-true');

-- What a user may have: projections of billing's and auth's rows, in the database of the service that enforces them. Each has
-- the version of its own snapshot. Creates lock the row.
create table quotas (
  user_id bigint primary key,
  tier text,
  proxy_limit integer not null default 0,
  expires_at timestamptz,
  version integer not null default 0,
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
  -- Its owner's suspension and name, copied from quotas, so that lists and snapshots need this row alone.
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
    (lower(server_name || ' ' || hostname || ' ' || server_ip || ' ' || coalesce(owner_name, ''))) stored
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
