-- A server is one machine of one user, with one tunnel for all of its proxies.
create table servers (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  user_id bigint not null,
  name text not null,
  -- implicit: made for its first proxy, whose uuid it has, and gone with its last one. machine: made by a user, and stays.
  kind text not null default 'implicit' check (kind in ('implicit', 'machine')),
  -- Where its next proxy's panel is looked for.
  default_host text,
  -- Somebody who is not its owner has read the token.
  token_shared_at timestamptz,
  created_at timestamptz not null default now(),
  version integer not null default 1,

  -- The desired state of the tunnel. Each change raises the generation, and that of every proxy; removed_at wants no tunnel.
  generation integer not null default 1,
  incarnation integer not null default 1,
  last_incarnation integer not null default 1,
  removed_at timestamptz,

  -- The tunnel that was last reported, as its id and incarnation.
  applied_generation integer not null default 0,
  applied jsonb,
  -- What the provider said of it, and since when; null without a tunnel.
  tunnel_health text,
  tunnel_health_at timestamptz,
  -- When the worker was last asked to check the server.
  woken_at timestamptz not null default now(),
  -- What proxies refer to.
  unique (id, uuid)
);
create index servers_by_user on servers (user_id, id) where removed_at is null;
create index servers_lagging on servers (woken_at) where generation > applied_generation;

-- Until now each proxy had a tunnel of its own: it gets a server of its own, whose tunnel has the name it had.
insert into servers (uuid, user_id, name, created_at, generation, incarnation, last_incarnation, removed_at,
    applied_generation, applied, tunnel_health, tunnel_health_at, woken_at)
  select uuid, user_id, server_name, created_at, generation, incarnation, last_incarnation, removed_at,
    -- Only a change of the proxy itself leaves the tunnel as it is to be.
    generation - (generation > applied_generation
      and (removed_at is not null or (applied ->> 'incarnation')::integer is distinct from incarnation))::integer,
    case when applied is not null then
      jsonb_build_object('tunnelId', applied -> 'tunnelId', 'incarnation', applied -> 'incarnation') end,
    tunnel_health, tunnel_health_at, woken_at
  from proxies;

-- `incarnation`, `last_incarnation`, `tunnel_health` and the tunnel in `applied` are copies of the server's: lists, snapshots and the edge
-- read one row, and the previous version knows no servers. What it writes there reaches the server by `server_follows`.
alter table proxies add column server_id bigint, add column server_uuid uuid;
update proxies set server_id = servers.id, server_uuid = servers.uuid from servers where servers.uuid = proxies.uuid;
alter table proxies
  alter column server_id set not null,
  alter column server_uuid set not null,
  add foreign key (server_id, server_uuid) references servers (id, uuid);
create index proxies_by_server on proxies (server_id);
