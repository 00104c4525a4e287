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

-- Has every edge look at the public port anew as the change is committed.
create function game_port_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform pg_notify('edge', 'port ' || old.public_port); end if;
  if tg_op <> 'DELETE' then perform pg_notify('edge', 'port ' || new.public_port); end if;
  return null;
end $$;
create trigger game_port_added after insert on game_ports
  for each row execute function game_port_changed();
create trigger game_port_changed after update or delete on game_ports
  for each row when (old.removed_at is null) execute function game_port_changed();

-- The game ports of a changed proxy: they lead to its server, end with it, and to its tunnel only while it is not suspended.
create function game_ports_follow() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
begin
  update game_ports set target_host = new.server_ip, removed_at = new.removed_at
    where proxy_id = new.id and removed_at is null;
  return null;
end $$;
create trigger game_ports_follow after update on proxies
  for each row when (
    old.server_ip <> new.server_ip
    or old.removed_at is distinct from new.removed_at
    or old.suspended_at is distinct from new.suspended_at
    or old.owner_suspended_at is distinct from new.owner_suspended_at
    or old.applied is distinct from new.applied
  )
  execute function game_ports_follow();

-- The edge opens them, through the proxy's tunnel.
grant select on game_ports to edge_app;
grant select (id, applied, suspended_at, owner_suspended_at) on proxies to edge_app;
