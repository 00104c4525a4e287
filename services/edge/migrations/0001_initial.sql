-- What went through each tunnel, by quarter of an hour: fine enough for every time zone's midnight. Edges add
-- to the same rows. No reference to tunnels: history outlives its tunnel until it is removed by age.
create table traffic (
  tunnel_id uuid not null,
  quarter timestamptz not null,
  requests bigint not null default 0,
  bytes_in bigint not null default 0,
  bytes_out bigint not null default 0,
  responses_1xx bigint not null default 0,
  responses_2xx bigint not null default 0,
  responses_3xx bigint not null default 0,
  responses_4xx bigint not null default 0,
  responses_5xx bigint not null default 0,
  unreachable bigint not null default 0,
  -- Higher with each addition.
  version bigint not null default 1,
  -- What the statistics were told: a row with a higher version is told them again, as a whole.
  told_version bigint not null default 0,
  primary key (tunnel_id, quarter)
);
create index traffic_by_quarter on traffic (quarter);
create index traffic_untold on traffic (tunnel_id, quarter) where told_version < version;

-- What was last heard of the panel behind each tunnel.
create table origins (
  tunnel_id uuid primary key,
  last_response_at timestamptz,
  last_status integer,
  last_unreachable_at timestamptz,
  version bigint not null default 1,
  told_version bigint not null default 0
);
create index origins_untold on origins (tunnel_id) where told_version < version;

-- The edges that run, and where the others reach them.
create table edges (
  id uuid primary key,
  -- host:port of its peer listener.
  address text not null,
  seen_at timestamptz not null default now()
);

-- What went through each game port, by quarter of an hour. No reference to the port: history outlives it.
create table port_traffic (
  port_id bigint not null,
  quarter timestamptz not null,
  bytes_in bigint not null default 0,
  bytes_out bigint not null default 0,
  -- That were let in, and that were not.
  connections bigint not null default 0,
  refused bigint not null default 0,
  -- When the last one was let in.
  last_at timestamptz,
  primary key (port_id, quarter)
);
create index port_traffic_by_quarter on port_traffic (quarter);

-- How many connections each edge has open to a game port. An edge confirms its rows every five seconds: one that was not
-- seen for fifteen belongs to a process that has died.
create table port_connections (
  edge_id uuid not null,
  port_id bigint not null,
  open integer not null,
  seen_at timestamptz not null,
  -- The edge could not open the public port: another program has it. Proxies shows that to the owner.
  is_closed boolean not null default false,
  primary key (edge_id, port_id)
);
create index port_connections_by_port on port_connections (port_id);

-- Proxies shows them to the owner.
grant usage on schema edge to proxies_app;
grant select on port_traffic, port_connections to proxies_app;
