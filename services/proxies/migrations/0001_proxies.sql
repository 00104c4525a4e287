-- What a user may have: a copy of billing's decision beside the row that enforces it. Locked by creates.
create table quotas (
  user_id bigint primary key,
  tier text,
  proxy_limit integer not null default 0,
  expires_at timestamptz,
  version integer not null default 0,
  -- The user is deleted: nothing may be created any more.
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
  status text not null,
  status_reason text,

  -- What is wanted at the provider. Each change raises the generation; removed_at wants nothing there.
  generation integer not null default 1,
  incarnation integer not null default 1,
  last_incarnation integer not null default 1,
  removed_at timestamptz,

  -- What was last reported from there, and the entries it was made from.
  applied_generation integer not null default 0,
  applied jsonb,
  applied_entries jsonb,

  -- A caller waits until then: a refusal may still remove or restore the row under his eyes.
  awaited_until timestamptz,
  -- The present generation restores the entries after a refusal.
  restoring boolean not null default false,
  -- When the worker was last told to look.
  woken_at timestamptz not null default now()
);
create index proxies_by_user on proxies (user_id, id) where removed_at is null;
create index proxies_lagging on proxies (woken_at) where generation > applied_generation;

-- A public name belongs to one proxy, until its record is gone at the provider.
create table hostnames (
  hostname text primary key,
  proxy_uuid uuid not null
);
create index hostnames_by_proxy on hostnames (proxy_uuid);
