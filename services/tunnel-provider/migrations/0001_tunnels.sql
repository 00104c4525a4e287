-- A deleted tunnel stays as a tombstone: its id is never given out again, its name is free.
create table tunnels (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  config_src text not null,
  -- AES-256-GCM under a key of TOKEN_KEYS: nonce, tag, ciphertext.
  secret bytea not null,
  key_id text not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  conns_active_at timestamptz,
  conns_inactive_at timestamptz
);
create unique index tunnels_by_name on tunnels (name) where deleted_at is null;
create index tunnels_by_age on tunnels (created_at desc, id);

-- The remote configuration a connector fetches: the whole document, replaced as one.
create table configurations (
  tunnel_id uuid primary key references tunnels,
  version integer not null,
  config jsonb not null,
  created_at timestamptz not null default now()
);

-- What connectors hold open now; a row lives as long as its connection. Written by the edge alone.
create table connections (
  id uuid primary key,
  tunnel_id uuid not null references tunnels,
  client_id uuid not null,
  client_version text not null,
  arch text not null,
  features text[] not null default '{}',
  colo_name text not null,
  origin_ip text not null,
  config_version integer,
  run_at timestamptz not null,
  opened_at timestamptz not null default now()
);
create index connections_by_tunnel on connections (tunnel_id);

create table dns_records (
  id text primary key,
  name text not null,
  type text not null,
  content text not null,
  proxied boolean not null,
  ttl integer not null,
  priority integer,
  comment text,
  tags text[] not null default '{}',
  created_on timestamptz not null default now(),
  modified_on timestamptz not null default now()
);
create index dns_records_by_name on dns_records (name);
create index dns_records_by_comment on dns_records (comment);
