-- How the requests of a proxy's visitors are logged, by the proxy's newest state.
create table request_logs (
  proxy_id uuid primary key,
  -- That of the state; 0: none with a mode has come yet.
  version integer not null default 0,
  -- metadata, live, off
  mode text not null default 'metadata',
  -- Since when the mode holds.
  since timestamptz(3) not null default 'epoch',
  -- How many requests are stored.
  stored integer not null default 0,
  -- Until then somebody watches: they are notified of new requests.
  watched_until timestamptz(3)
);

-- What visitors asked; neither queries nor whole addresses.
create table requests (
  id bigint generated always as identity,
  proxy_id uuid not null,
  -- The edge's, which the visitor sees, too: a message that comes twice stores nothing twice.
  request_id text not null,
  at timestamptz(3) not null,
  method text not null,
  path text not null,
  status smallint,
  duration integer not null,
  bytes_in bigint not null,
  bytes_out bigint not null,
  network text not null,
  agent text not null,
  reason text,
  primary key (proxy_id, request_id)
);
create index requests_by_time on requests (proxy_id, at desc, id desc);
create index requests_by_id on requests (id);

-- Requests that were not logged because there were too many at once.
create table missed_requests (
  proxy_id uuid not null,
  hour timestamptz not null,
  count bigint not null,
  primary key (proxy_id, hour)
);

-- What users pay for: it says how long the requests to their proxies are kept.
create table plans (
  user_id bigint primary key,
  tier text,
  expires_at timestamptz,
  version integer not null
);
