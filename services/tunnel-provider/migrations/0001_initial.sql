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
-- notes when that is gone.
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

-- Those of the tunnels that have no connection any more are down from now on. The caller has locked their rows.
create function mark_inactive(tunnel_ids uuid[]) returns void begin atomic
  update tunnels set conns_active_at = null, conns_inactive_at = now()
  where id = any(tunnel_ids) and conns_active_at is not null
    and not exists (select 1 from live_connections where tunnel_id = tunnels.id);
end;

-- Tells every edge what has changed, as the change is committed.
create function edge_connection_gone() returns trigger language plpgsql as $$
begin
  perform pg_notify('edge', 'gone ' || old.id);
  return null;
end $$;
create trigger edge_connection_gone after delete on connections
  for each row when (old.edge_id is not null) execute function edge_connection_gone();

create function edge_configuration_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('edge', 'config ' || coalesce(new.tunnel_id, old.tunnel_id));
  return null;
end $$;
create trigger edge_configuration_changed after insert or update or delete on configurations
  for each row execute function edge_configuration_changed();

create function edge_record_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform pg_notify('edge', 'host ' || old.name); end if;
  if tg_op <> 'DELETE' then perform pg_notify('edge', 'host ' || new.name); end if;
  return null;
end $$;
create trigger edge_record_changed after insert or update or delete on dns_records
  for each row execute function edge_record_changed();

-- The edge's role: it reads where host names lead and what connectors show, never a secret, and writes connections.
grant usage on schema tunnel_provider to edge_app;
grant select (id, config_src, secret_hash, deleted_at, conns_active_at), update (conns_active_at, conns_inactive_at)
  on tunnels to edge_app;
grant select on configurations, live_connections to edge_app;
grant select (name, type, content, proxied) on dns_records to edge_app;
grant select, insert, delete, update (seen_at, config_version) on connections to edge_app;
grant select, insert, delete, update (lost_at) on edge_epochs to edge_app;

-- The API's role may show and cut connections. It can neither claim one nor say whether an edge lives.
revoke insert, update on connections from tunnel_provider_app;
revoke insert, update, delete on live_connections from tunnel_provider_app;
revoke all on edge_epochs from tunnel_provider_app;
