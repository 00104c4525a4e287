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
  created_at timestamptz not null default now()
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
  created_at timestamptz not null default now()
);

-- Edges load a changed certificate, and stop waiting for one that failed. The API orders what is asked for.
create function certificate_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('edge', 'certificate ' || new.name);
  perform pg_notify('certificates', new.name);
  return null;
end $$;
create trigger certificate_added after insert on certificates
  for each row execute function certificate_changed();
create trigger certificate_changed after update of chain, failures, attempt_at on certificates
  for each row when (old.chain is distinct from new.chain or old.failures <> new.failures or old.attempt_at <> new.attempt_at)
  execute function certificate_changed();

-- Has certificates ordered for those of the hosts that are the panel's or lead to a tunnel: the edge can ask for no other
-- name.
create function request_certificates(hosts text[]) returns void language sql security definer
set search_path = tunnel_provider, pg_temp as $$
  insert into certificates (name)
  select distinct dns_records.name from dns_records join tunnels
    on dns_records.content = tunnels.id || '.cfargotunnel.com' and tunnels.deleted_at is null
  where dns_records.name = any(hosts) and dns_records.type = 'CNAME' and dns_records.proxied
  on conflict (name) do nothing;
  update certificates set attempt_at = now() where name = any(hosts) and attempt_at = 'infinity';
$$;
revoke all on function request_certificates(text[]) from public;
grant execute on function request_certificates(text[]) to edge_app;

-- The edge serves certificates and answers challenges. It reads no account, and changes neither.
grant select (name, chain, secret, key_id, not_after, attempt_at, failures) on certificates to edge_app;
grant select (token, host, key_authorization) on acme_challenges to edge_app;
