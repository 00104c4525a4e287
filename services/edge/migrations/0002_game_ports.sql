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
  primary key (edge_id, port_id)
);
create index port_connections_by_port on port_connections (port_id);

-- Proxies shows them to the owner.
grant usage on schema edge to proxies_app;
grant select on port_traffic, port_connections to proxies_app;
