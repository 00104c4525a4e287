-- Measured history: primary data, kept by age, never touched by a rebuild of the totals.

-- Which proxy a tunnel is, or was, of: a recreated one goes on with its history.
create table tunnels (
  tunnel_id text primary key,
  proxy_id uuid not null
);
create index tunnels_by_proxy on tunnels (proxy_id);

-- Whom to tell of a proxy.
create table owners (
  proxy_id uuid primary key,
  id bigint not null,
  user_id bigint not null
);

-- What a proxy was from a moment on, by its versions; a version that is lacking was missed.
create table states (
  proxy_id uuid not null,
  version integer not null,
  at timestamptz(3) not null,
  -- up, down, unknown, gone
  state text not null,
  primary key (proxy_id, version)
);
create index states_by_time on states (at);

-- What went through a tunnel in a quarter of an hour, as the edge last told.
create table traffic (
  tunnel_id text not null,
  quarter timestamptz not null,
  version bigint not null,
  requests bigint not null,
  bytes_in bigint not null,
  bytes_out bigint not null,
  answers_1xx bigint not null,
  answers_2xx bigint not null,
  answers_3xx bigint not null,
  answers_4xx bigint not null,
  answers_5xx bigint not null,
  unreachable bigint not null,
  primary key (tunnel_id, quarter)
);
create index traffic_by_quarter on traffic (quarter);

create table origins (
  tunnel_id text primary key,
  version bigint not null,
  last_answer_at timestamptz(3),
  last_status integer,
  last_unreachable_at timestamptz(3)
);
