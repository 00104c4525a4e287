-- A deleted tunnel stays as a tombstone: its id is never given out again, its name is free.
create table tunnels (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  config_src text not null,
  -- AES-256-GCM under a key of TOKEN_KEYS: nonce, tag, ciphertext.
  secret bytea not null,
  key_id text not null,
  -- SHA-256 of the secret. The edge checks connectors with it and needs none of the keys.
  secret_hash bytea not null,
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

create table dns_records (
  id text primary key,
  name text not null,
  type text not null,
  content text not null,
  proxied boolean not null,
  ttl integer not null,
  priority integer,
  comment text,
  -- The proxy that the worker's comment names; name, tunnel and proxy change together. Null: a record of others.
  proxy_id uuid generated always as
    (substring(comment from '^talpa \S+ ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$')::uuid) stored,
  tags text[] not null default '{}',
  created_on timestamptz not null default now(),
  modified_on timestamptz not null default now()
);
create index dns_records_by_name on dns_records (name);
create index dns_records_by_comment on dns_records (comment);

-- What connectors hold open now; a row lives as long as its connection. The edge writes it, the API only deletes.
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
  opened_at timestamptz not null default now(),
  -- Which edge holds it; null where a test plays the connector.
  edge_id uuid,
  -- Which of its connector's connections this is.
  conn_index smallint,
  -- When its edge last confirmed it. A row that no edge confirms belongs to a process that has died.
  seen_at timestamptz not null default now()
);
create index connections_by_tunnel on connections (tunnel_id);
create index connections_by_edge on connections (edge_id);

-- Each start of an edge is an epoch of its own. It lives as long as its session with Postgres; another edge
-- stores when that is gone.
create table edge_epochs (
  id uuid primary key,
  begun_at timestamptz not null default now(),
  lost_at timestamptz
);

-- What counts as connected: everything but what a lost epoch has left behind.
create view live_connections as
  select connections.* from connections
  left join edge_epochs on edge_epochs.id = connections.edge_id
  where edge_epochs.lost_at is null;

-- The account at each certificate authority, by its directory. Only the API's role reads it.
create table acme_accounts (
  directory text primary key,
  -- Its address at the authority; null until it is registered.
  url text,
  -- The account's key, as in `tunnels`.
  secret bytea not null,
  key_id text not null
);

-- A certificate belongs to one host name, or to a wildcard (`*.tunnel.example.net`).
create table certificates (
  name text primary key,
  -- PEM, the certificate itself first; null until one was issued.
  chain text,
  -- The private key under CERTIFICATE_KEYS, as in `tunnels`.
  secret bytea,
  key_id text,
  not_before timestamptz,
  not_after timestamptz,
  -- When it is ordered next: now, at its renewal, or after the pause that follows a failure; infinity while no edge
  -- has asked for it, which would have to answer the authority.
  attempt_at timestamptz not null default now(),
  -- Failures since the last certificate, and the last one: its code and what the authority said.
  failures integer not null default 0,
  problem text,
  detail text,
  failed_at timestamptz,
  -- When the authority is asked for its renewal window again.
  window_at timestamptz,
  -- A process that orders it renews this; another one takes over when it has passed.
  claimed_until timestamptz,
  created_at timestamptz not null default now(),
  -- The challenge of the next order: the one that gave the certificate, or the other one after it failed. Null: what
  -- works for other names.
  challenge text
);

-- Orders of the last days: what stays below the authority's limits is counted here.
create table acme_orders (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  is_renewal boolean not null,
  -- It gave a certificate.
  succeeded boolean not null default false,
  ordered_at timestamptz not null default now()
);
create index acme_orders_by_time on acme_orders (ordered_at);

-- What edges answer the authority on port 80.
create table acme_challenges (
  token text primary key,
  host text not null,
  key_authorization text not null,
  created_at timestamptz not null default now(),
  -- How an edge answers: on port 80 (http-01), or on port 443 by `acme-tls/1` (tls-alpn-01).
  type text not null default 'http-01'
);

-- The edge's role reads where host names lead and what connectors show, never a tunnel's secret, and writes connections. A tunnel's name
-- says whose it is: by it the edge finds the policy of a proxy.
grant usage on schema tunnel_provider to edge_app;
grant select (id, name, config_src, secret_hash, deleted_at, conns_active_at), update (conns_active_at, conns_inactive_at)
  on tunnels to edge_app;
grant select on configurations, live_connections to edge_app;
grant select (name, type, content, proxied, proxy_id) on dns_records to edge_app;
grant select, insert, delete, update (seen_at, config_version) on connections to edge_app;
grant select, insert, delete, update (lost_at) on edge_epochs to edge_app;
-- It serves certificates and answers challenges. It reads no account, and changes neither.
grant select (name, chain, secret, key_id, not_after, attempt_at, failures) on certificates to edge_app;
grant select (token, type, host, key_authorization, created_at) on acme_challenges to edge_app;

-- The API's role may show and cut connections. It can neither claim one nor say whether an edge lives.
revoke insert, update on connections from tunnel_provider_app;
revoke insert, update, delete on live_connections from tunnel_provider_app;
revoke all on edge_epochs from tunnel_provider_app;
